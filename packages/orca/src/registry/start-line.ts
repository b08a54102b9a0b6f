/**
 * The first line of a built file that carries packages with native code. Node would read and scan all of such a file at every start, which
 * takes 150 ms: this line has it read the code alone. `node <file>` works too, only slower.
 *
 * What `node -e` leaves in a process is taken away again by `start.ts`.
 */

/** The kernel's limit, since Linux 5.1. */
const LINE_BYTES_MAX = 255;

/**
 * JavaScript that runs the file that is the first word after it, and is given to `node -e`. A file that hasn't that many bytes of code, such as
 * a newer build or what a worker thread forks (it has its process's first flags), is run as `node <file>` would.
 *
 * It has no line end, double quote, backslash or dollar, which mean something to `env -S`.
 */
export function startOf(codeBytes: number): string {
  return (
    `{const g=process.getBuiltinModule,s=g('fs'),M=g('module'),f=s.realpathSync(process.argv[1]),` +
    `b=Buffer.alloc(${codeBytes});s.readSync(s.openSync(f),b);b.includes('(${codeBytes})')?new M(f)._compile(b.toString('latin1'),f):M.runMain()}`
  );
}

/** The line, without its end. */
export function startLine(start: string): string {
  const line = `#!/usr/bin/env -S node -e "${start}"`;
  if (line.length > LINE_BYTES_MAX) throw new Error(`the first line has ${line.length} bytes`);
  return line;
}
