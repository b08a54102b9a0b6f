/** What a machine is doing: processor, memory, disk and network, from Linux's /proc; what it hasn't is left out. */
import { readFileSync, statfsSync } from "node:fs";
import { cpus, freemem, totalmem } from "node:os";

/** One line of a run's metrics. Rates are since the sample before; bytes are bytes, shares from 0 to 1. */
export interface MachineSample {
  readonly at: string;
  readonly cores: number;
  /** How busy the cores were together, and how much of it the machine's host took from them (steal). */
  readonly cpu: number | null;
  readonly steal: number | null;
  readonly memoryUsed: number;
  readonly memoryTotal: number;
  /** Of the file system of the folder that is sampled. */
  readonly diskUsed: number;
  readonly diskTotal: number;
  /** A second. */
  readonly diskRead: number | null;
  readonly diskWritten: number | null;
  readonly networkReceived: number | null;
  readonly networkSent: number | null;
}

/** What counts up from the machine's start. */
interface Counters {
  readonly atMs: number;
  readonly cpu: { readonly busy: number; readonly steal: number; readonly all: number } | undefined;
  readonly disk: readonly [read: number, written: number] | undefined;
  readonly network: readonly [received: number, sent: number] | undefined;
}

/** Takes samples, each with what happened since the one before. */
export class MachineSampler {
  readonly #folder: string;
  #before: Counters = countersNow();

  /** @param folder whose disk is sampled. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  sample(): MachineSample {
    const [before, now] = [this.#before, countersNow()];
    this.#before = now;
    const seconds = Math.max((now.atMs - before.atMs) / 1000, 0.001);
    const share = (part: "busy" | "steal") => {
      const all = (now.cpu?.all ?? 0) - (before.cpu?.all ?? 0);
      return now.cpu === undefined || before.cpu === undefined || all <= 0
        ? null
        : rounded((now.cpu[part] - before.cpu[part]) / all);
    };
    const rate = (of: "disk" | "network", i: 0 | 1) =>
      now[of] === undefined || before[of] === undefined ? null : Math.round((now[of][i] - before[of][i]) / seconds);
    const { blocks, bfree, bsize } = statfsSync(this.#folder);
    return {
      at: new Date(now.atMs).toISOString(),
      cores: cpus().length,
      cpu: share("busy"),
      steal: share("steal"),
      memoryUsed: totalmem() - availableMemory(),
      memoryTotal: totalmem(),
      diskUsed: (blocks - bfree) * bsize,
      diskTotal: blocks * bsize,
      diskRead: rate("disk", 0),
      diskWritten: rate("disk", 1),
      networkReceived: rate("network", 0),
      networkSent: rate("network", 1),
    };
  }
}

const SECTOR_BYTES = 512;

function countersNow(): Counters {
  return { atMs: Date.now(), cpu: cpuCounters(), disk: diskCounters(), network: networkCounters() };
}

/** The first line of /proc/stat: user nice system idle iowait irq softirq steal guest guest_nice. */
function cpuCounters(): Counters["cpu"] {
  const [line] = linesOf("/proc/stat");
  if (line === undefined) return undefined;
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, steal = 0] = numbersIn(line).slice(
    0,
    8,
  );
  const busy = user + nice + system + irq + soft + steal;
  return { busy, steal, all: busy + idle + wait };
}

/** Of whole disks: fields 6 and 10 of /proc/diskstats are sectors read and written. Partitions, loops and memory are within or beside them. */
function diskCounters(): Counters["disk"] {
  const lines = linesOf("/proc/diskstats").map((line) => line.trim().split(/\s+/));
  if (lines.length === 0) return undefined;
  const disks = lines.filter(([, , name = ""]) => /^(sd[a-z]+|vd[a-z]+|xvd[a-z]+|nvme\d+n\d+)$/.test(name));
  const sum = (field: number) => disks.reduce((all, words) => all + Number(words[field] ?? 0), 0) * SECTOR_BYTES;
  return [sum(5), sum(9)];
}

/** Of all interfaces save the loopback: fields 1 and 9 of /proc/net/dev are bytes received and sent. */
function networkCounters(): Counters["network"] {
  const lines = linesOf("/proc/net/dev").filter((line) => line.includes(":") && !line.trim().startsWith("lo:"));
  const counts = lines.map((line) => numbersIn(line.slice(line.indexOf(":") + 1)));
  return [counts.reduce((all, c) => all + (c[0] ?? 0), 0), counts.reduce((all, c) => all + (c[8] ?? 0), 0)];
}

/** What programs could still have, with the caches that would make way for them. */
function availableMemory(): number {
  const line = linesOf("/proc/meminfo").find((one) => one.startsWith("MemAvailable:"));
  return line === undefined ? freemem() : numbersIn(line)[0]! * 1024;
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    return [];
  }
}

function numbersIn(text: string): readonly number[] {
  return Array.from(text.matchAll(/\b\d+\b/g), ([number]) => Number(number));
}

function rounded(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}
