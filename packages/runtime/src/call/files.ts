// The file system as one call may use it.
import type { FileHandle } from 'node:fs/promises'

/**
 * Paths are relative to the workspace or absolute. An access outside the scope throws `Refused`, a failure of the file system throws
 * `FileFailure`; both have `reason_code` and `facts`.
 */
export interface ScopedFiles {
  /** The real absolute path, with all links resolved. A file that does not exist yet is located by its folder. */
  locate(path: string, access: 'read' | 'write'): Promise<string>
  /** Whether the call may access a real path; for callers that walk a tree themselves. */
  permits(real: string, access: 'read' | 'write', kind: 'file' | 'directory'): Promise<boolean>
  /** Parses a pattern in the syntax of scopes, for callers that filter; `null` if it is too complex to evaluate. */
  pattern(text: string): Glob | null
  /** The file, with links followed. */
  stat(path: string): Promise<LocatedFacts>
  /** The entry itself; a link is not followed but returned with its target. */
  lstat(path: string): Promise<LocatedFacts & { readonly target: string | null }>
  /** A regular file, open for reading while `use` runs. Never blocks on a pipe. */
  read<T>(path: string, use: (file: OpenFile) => Promise<T>): Promise<T>
  /** Everything below a directory that the scope allows, streamed; links are listed but not followed. */
  walk(path: string, enters: (entry: TreeEntry) => boolean | Promise<boolean>): AsyncGenerator<TreeEntry>
  /** Keeps a directory open for a child process: `at` is a path that works as its `cwd` while `use` runs. */
  withDirectory<T>(path: string, use: (directory: { readonly real: string; readonly at: string }) => Promise<T>): Promise<T>
  /** Creates or replaces a file atomically. A link is kept; its target is replaced. */
  replace(path: string, bytes: Uint8Array, options?: ReplaceOptions): Promise<{ readonly real: string; readonly created: boolean }>
  /** Moves a file, link or directory; to another file system by a durable copy. */
  move(from: string, to: string, options: MoveOptions): Promise<{ readonly from: string; readonly to: string; readonly replaced: boolean }>
  /** Removes a file, a link (never its target) or, if `recursive`, a directory and its contents. Returns the number of removed entries. */
  remove(path: string, options: RemoveOptions): Promise<{ readonly real: string; readonly removed: number }>
  /** Creates a directory and its missing parents; an existing one is not an error. Returns what was created, outermost first. */
  makeDirectory(path: string): Promise<{ readonly real: string; readonly made: readonly string[] }>
}

/** The operations that change nothing. */
export type ReadableFiles = Pick<ScopedFiles, 'locate' | 'stat' | 'lstat' | 'read' | 'walk'>

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
  /** What the caller last saw there, `null` for nothing. If it differs now, the call fails with `changed_since_read`. */
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
  /** The number of hard links to the file. */
  readonly link_count: number
}

/** Distinguishes two states of a file without reading it. */
export interface FileVersion {
  readonly dev: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}

export interface TreeEntry {
  readonly name: string
  /** Relative to the start of the walk, with forward slashes. */
  readonly path: string
  readonly real: string
  readonly depth: number
  readonly type: FileFacts['type']
  /** Valid only until the walk continues. */
  facts(): Promise<FileFacts>
  /** The target of a link; valid only until the walk continues. */
  target(): Promise<string>
}

export interface Glob {
  /** `path` has forward slashes and is relative; empty for the root itself. */
  matches(path: string): boolean
  /** Whether anything below the folder `path` could match. */
  mayMatchBelow(path: string): boolean
}
