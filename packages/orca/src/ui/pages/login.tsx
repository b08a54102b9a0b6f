import { Icon } from "../look/icon.tsx";
import type { Shown } from "../look/shell.tsx";

/** @param given.name as it was typed before, when it was refused. */
export function LoginPage(given: {
  readonly back: string;
  readonly name?: string;
  readonly error?: string;
  readonly isThrottled?: boolean;
}): Shown {
  const { back, name, error, isThrottled } = given;
  return {
    title: "Log in",
    isBare: true,
    main: (
      <div class="card">
        <h1>Log in to Orca</h1>
        {error !== undefined && (
          <div class="say bad flat" role="alert">
            <Icon name="failed" class="g-failed" />
            <span>{error}</span>
          </div>
        )}
        <form method="post" action="/login" class="form">
          <input type="hidden" name="back" value={back} />
          <label class="fld">
            Name
            <input
              class="in"
              name="name"
              autocomplete="username"
              autocapitalize="none"
              spellcheck={false}
              maxlength={64}
              value={name}
              aria-invalid={error === undefined ? undefined : "true"}
              required
            />
          </label>
          <label class="fld">
            Password
            <input class="in" type="password" name="password" autocomplete="current-password" maxlength={72} required />
          </label>
          <button class="btn pri" type="submit" disabled={isThrottled}>
            Log in
          </button>
        </form>
        <p class="note">
          Reading needs no login here; acting does. Someone with a shell adds a user:{" "}
          <code>orca user add &lt;name&gt;</code>
        </p>
      </div>
    ),
  };
}
