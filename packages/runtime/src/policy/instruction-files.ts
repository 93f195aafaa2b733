// Reads the files that programs take instructions from, each once, and computes a digest of their contents.
import { createHash } from 'node:crypto'
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface InstructionFile {
  readonly path: string
  /** With all links resolved. */
  readonly real: string
  /** When the file, or the link, was last changed in any way (ctime). Programs cannot set this time. */
  readonly changed_at: number
}

const mostFiles = 2_000
const largestFile = 2 * 1024 * 1024

export class InstructionFiles {
  readonly #digests = new Map<string, string>()
  readonly #files: InstructionFile[] = []
  /** Why it cannot be determined which files count, or what they contain. */
  unclear: string | null = null

  get files(): readonly InstructionFile[] {
    return this.#files
  }

  has(path: string): boolean {
    return this.#digests.has(path)
  }

  digest(): string {
    const sorted = [...this.#digests].sort(([left], [right]) => (left < right ? -1 : 1))
    return createHash('sha256').update(JSON.stringify(sorted)).digest('hex')
  }

  /** The text of the file; null if there is none, or if it was already read. */
  async add(path: string): Promise<string | null> {
    if (this.has(path)) return null
    const found = await stat(path).catch(() => null)
    if (!found?.isFile()) return null
    if (this.#files.length >= mostFiles) return this.#cannot(`there are more than ${mostFiles} files that it takes instructions from`)
    if (found.size > largestFile) return this.#cannot(`${path} is too large to read`)
    const bytes = await readFile(path).catch(() => null)
    const link = await lstat(path).catch(() => null)
    const real = await realpath(path).catch(() => null)
    if (bytes === null || link === null || real === null) return this.#cannot(`${path} cannot be read`)
    // The mode counts: a hook runs only if it is executable.
    const text = createHash('sha256').update(bytes).digest('hex')
    this.#digests.set(path, `${found.mode & 0o111 ? 'x' : '-'} ${real} ${text}`)
    this.#files.push({ path, real, changed_at: Math.max(link.ctimeMs, found.ctimeMs) })
    return bytes.toString('utf8')
  }

  /** A name that ends with `*` matches every file in the folder with this prefix. */
  async addNamed(folder: string, names: readonly string[]): Promise<void> {
    for (const name of names) {
      if (!name.endsWith('*')) await this.add(join(folder, name))
      else for (const found of await namesIn(folder)) if (found.startsWith(name.slice(0, -1))) await this.add(join(folder, found))
    }
  }

  async addFolder(folder: string, counts: (name: string) => boolean): Promise<void> {
    for (const name of await namesIn(folder)) if (counts(name)) await this.add(join(folder, name))
  }

  #cannot(why: string): null {
    this.unclear ??= why
    return null
  }
}

/** The folder and its parents, nearest first. */
export function upwards(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...upwards(above)]
}

export async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch(() => [])
}
