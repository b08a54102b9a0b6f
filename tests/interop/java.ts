/** Iceberg's reference implementation, in Java: built in `build/java`, once for each version of its sources. */
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Json } from "@orcajs/iceberg";
import { run, runJson } from "./commands.ts";
import { ServedProgram } from "./served-program.ts";

const project = path.join(import.meta.dirname, "java");
const build = path.resolve(import.meta.dirname, "../../build/java");
const classpath = path.join(build, "classpath.txt");
/** A third of the time that the defaults take, which are for programs that run for long. */
const SHORT_RUNNING = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
const built = path.join(build, "built.txt");

/**
 * Builds it, where Maven is.
 * @throws Error if Maven can't.
 */
export function prepareJava(): void {
  if (isJavaReady() || spawnSync("mvn", ["--version"]).status !== 0) return;
  rmSync(build, { recursive: true, force: true });
  mkdirSync(build, { recursive: true });
  const properties = [`-Dbuild.folder=${build}`, `-Dmdep.outputFile=${classpath}`];
  run("mvn", ["--quiet", "--batch-mode", ...properties, "-f", project, "compile", "dependency:build-classpath"]);
  writeFileSync(built, sources());
}

/** Whether it was built of the sources that are there. */
export function isJavaReady(): boolean {
  try {
    return readFileSync(built, "utf8") === sources();
  } catch {
    return false;
  }
}

/** What its command prints, given JSON. */
export function java(command: "read" | "write", input: unknown): Json {
  return runJson("java", wordsFor(command), input);
}

/** It reads and writes, whichever a request is, until it is disposed. */
export function serveJava(): ServedProgram {
  return new ServedProgram("java", wordsFor("serve"));
}

function wordsFor(command: string): readonly string[] {
  const classes = [path.join(build, "classes"), readFileSync(classpath, "utf8").trim()].join(path.delimiter);
  return [
    ...SHORT_RUNNING,
    "-Dfile.encoding=UTF-8",
    "-Dstdout.encoding=UTF-8",
    "-cp",
    classes,
    "interop.Main",
    command,
  ];
}

function sources(): string {
  const files = globSync("{pom.xml,src/**/*.java}", { cwd: project }).sort();
  return files.map((file) => readFileSync(path.join(project, file), "utf8")).join("\n");
}
