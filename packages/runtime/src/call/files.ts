// The disk as one call may use it.
import type { FileHandle } from 'node:fs/promises'

/**
 * Paths are relative to the workspace or absolute. What the scope forbids throws a `Refused`, what the disk can't do a `FileFailure`;
 * both carry `reason_code` and `facts`.
 */
export interface ScopedFiles {
  /** The real absolute path, all links followed. A file that does not exist yet is located by its folder. */
  locate(path: string, access: 'read' | 'write'): Promise<string>
  /** Whether a real path is open to the call; for those who walk by themselves. */
  permits(real: string, access: 'read' | 'write', kind: 'file' | 'directory'): Promise<boolean>
  /** The pattern language of scopes, for those who filter; `null` when it is too tangled to read. */
  pattern(text: string): Glob | null
  /** What is there, links followed. */
  stat(path: string): Promise<LocatedFacts>
  /** What is there, a link as itself with its target. */
  look(path: string): Promise<LocatedFacts & { readonly target: string | null }>
  /** A regular file, open for reading as long as `use` runs. Never blocks on a pipe. */
  read<T>(path: string, use: (file: OpenFile) => Promise<T>): Promise<T>
  /** Everything below a directory that the scope lets be seen, streamed; links are shown and not entered. */
  walk(path: string, enters: (entry: TreeEntry) => boolean | Promise<boolean>): AsyncGenerator<TreeEntry>
  /** Holds a directory fast for a child process: `at` is a path that works as its `cwd` as long as `use` runs. */
  enter<T>(path: string, use: (directory: { readonly real: string; readonly at: string }) => Promise<T>): Promise<T>
  /** Creates or replaces a file, whole or not at all. A link stays; its target is replaced. */
  replace(path: string, bytes: Uint8Array, options?: ReplaceOptions): Promise<{ readonly real: string; readonly created: boolean }>
  /** Moves a file, link or directory; into another file system by a durable copy. */
  move(from: string, to: string, options: MoveOptions): Promise<{ readonly from: string; readonly to: string; readonly replaced: boolean }>
  /** Removes a file, a link (never its target) or, when `recursive`, a directory with all it holds. Answers with how many entries went. */
  remove(path: string, options: RemoveOptions): Promise<{ readonly real: string; readonly removed: number }>
  /** Makes a directory and what is missing above it; one that exists is fine. Answers with what was made, outermost first. */
  makeDirectory(path: string): Promise<{ readonly real: string; readonly made: readonly string[] }>
}

/** The part of it that changes nothing. */
export type ReadableFiles = Pick<ScopedFiles, 'locate' | 'stat' | 'look' | 'read' | 'walk'>

interface LocatedFacts extends FileFacts {
  readonly real: string
}

interface OpenFile {
  readonly real: string
  readonly handle: FileHandle
  readonly facts: FileFacts
  readonly version: FileVersion
}

interface ReplaceOptions {
  /** What the caller last saw there, `null` for nothing. Anything else there now is `changed_since_read`. */
  readonly expect?: FileVersion | null
  readonly createParents?: boolean
}

interface RemoveOptions {
  readonly recursive: boolean
  readonly signal?: AbortSignal
}

interface MoveOptions {
  readonly overwrite: boolean
  readonly createParents: boolean
  readonly signal: AbortSignal
}

export interface FileFacts {
  readonly type: 'file' | 'directory' | 'link' | 'other'
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  /** Permission bits. */
  readonly mode: number
  /** How many names the same file has. */
  readonly names: number
}

/** Tells two states of a file apart without reading it. */
export interface FileVersion {
  readonly dev: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}

export interface TreeEntry {
  readonly name: string
  /** Relative to where the walk began, with forward slashes. */
  readonly path: string
  readonly real: string
  readonly depth: number
  readonly type: FileFacts['type']
  /** Only until the walk goes on. */
  facts(): Promise<FileFacts>
  /** Of a link; only until the walk goes on. */
  target(): Promise<string>
}

export interface Glob {
  /** `path` has forward slashes and is relative; empty for the root itself. */
  matches(path: string): boolean
  /** Whether something below the folder `path` could match. */
  leadsBelow(path: string): boolean
}
