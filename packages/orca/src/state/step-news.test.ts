import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isOfSteps, StepNews } from "./step-news.ts";

describe("news of a run's steps", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  /** Records a change, and tells of it at once or later. */
  const change = (news: StepNews) => {
    const isTold = news.isDue();
    if (!isTold) news.tellLater();
    return isTold;
  };

  it("are told with the first change, and then twice a second however many there are", () => {
    const later = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const news = new StepNews(later);
    expect([change(news), change(news), change(news)]).toEqual([true, false, false]);
    vi.advanceTimersByTime(499);
    expect(later).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(1);
    expect(later).toHaveBeenCalledTimes(1);
    expect(change(news)).toBe(false);
    vi.advanceTimersByTime(5_000);
    expect(later).toHaveBeenCalledTimes(2);
    expect(change(news)).toBe(true);
  });

  it("are told of the next change where they could not be told of the last", async () => {
    const later = vi.fn<() => Promise<void>>(() => Promise.reject(new Error("away")));
    const news = new StepNews(later);
    expect([change(news), change(news)]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(later).toHaveBeenCalledTimes(1);
    expect(change(news)).toBe(true);
  });

  it("are not of runs as wholes", () => {
    expect(["steps:lake:7", "run:7", "queue:", ""].map(isOfSteps)).toEqual([true, false, false, false]);
  });
});
