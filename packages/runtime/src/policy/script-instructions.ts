// The files that the scripts of package.json take instructions from: what they name, in the package and in the packages of its workspace.
import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { InstructionFiles, upwards } from './instruction-files.ts'

/** Adds the instructions of a program that is started in a folder, if they are known. */
export type EnterFolder = (program: string, folder: string) => Promise<void>

/** The scripts of the nearest package.json: their files, programs of installed packages, and programs with instructions of their own. */
export async function followScripts(files: InstructionFiles, folder: string, enter: EnterFolder): Promise<void> {
  for (const above of upwards(folder)) {
    const text = await new InstructionFiles().add(join(above, 'package.json'))
    if (text === null) continue
    const { scripts, workspaces } = packageOf(text)
    for (const script of scripts) await followScript(files, script, above, enter)
    const listed = [...workspaces, ...(await pnpmPackages(above))]
    for (const member of await membersOf(files, above, listed)) await enter('npm', member)
    return
  }
}

async function followScript(files: InstructionFiles, script: string, folder: string, enter: EnterFolder): Promise<void> {
  const [hidden] = /(?:^|[\s;&|(])(?:cd|--prefix|--cwd|--dir|-C)(?:=|\s+)[^\s;&|]*[$`*?[{][^\s;&|]*/.exec(script) ?? []
  if (hidden !== undefined)
    files.unclear ??= `a script of ${join(folder, 'package.json')} runs in a folder that is not named (${hidden.trim()})`
  const words = [...new Set(wordsIn(script).map((word) => word.replace(/^-C(?=.)/, '')))].filter(
    (word) => word !== '' && !word.startsWith('-'),
  )
  const named: string[] = []
  for (const word of words) if (await isFolder(resolve(folder, word))) named.push(resolve(folder, word))
  for (const base of new Set([folder, ...named])) {
    for (const word of words) {
      const path = resolve(base, word)
      for (const ending of ['', '.js', '.mjs', '.cjs', '.ts', '.sh', '/index.js']) await files.add(`${path}${ending}`)
      if (!word.includes('/')) for (const higher of upwards(base)) await files.add(join(higher, 'node_modules/.bin', word))
      await enter(word, base)
    }
  }
}

/** Files that a script writes are not files that it runs. */
function wordsIn(script: string): readonly string[] {
  const read = script.replace(/>+\s*[^\s;&|]+|(?:^|\s)(?:-o|--out\w*)(?:=|\s+)[^\s;&|]+/g, ' ')
  return read.split(/[\s'"`;&|()<>=,]+/)
}

interface PackageFacts {
  readonly scripts: readonly string[]
  readonly workspaces: readonly string[]
}

function packageOf(packageJson: string): PackageFacts {
  try {
    const read = JSON.parse(packageJson) as { readonly scripts?: unknown; readonly workspaces?: unknown } | null
    const listed = read?.workspaces ?? []
    return { scripts: texts(Object.values(read?.scripts ?? {})), workspaces: texts(Array.isArray(listed) ? listed : packagesIn(listed)) }
  } catch {
    // npm refuses a file that is not JSON as well.
    return { scripts: [], workspaces: [] }
  }
}

async function pnpmPackages(folder: string): Promise<readonly string[]> {
  const text = await new InstructionFiles().add(join(folder, 'pnpm-workspace.yaml'))
  if (text === null) return []
  const { parse } = await import('yaml')
  try {
    return texts(packagesIn(parse(text)))
  } catch {
    // pnpm refuses a file that is not YAML as well.
    return []
  }
}

function packagesIn(workspace: unknown): readonly unknown[] {
  const listed = workspace !== null && typeof workspace === 'object' && 'packages' in workspace ? workspace.packages : []
  return Array.isArray(listed) ? listed : []
}

function texts(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === 'string')
}

const mostFolders = 2_000

/** The folders of a workspace that match its patterns and contain a package. Excluded ones are included: they are only more files. */
async function membersOf(files: InstructionFiles, root: string, patterns: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>()
  let left = mostFolders
  const cannot = (why: string) => {
    files.unclear ??= `${root} ${why}`
  }
  async function collect(folder: string, parts: readonly string[]): Promise<void> {
    left -= 1
    if (left < 0) return cannot(`has more than ${mostFolders} folders that can be in its workspace`)
    const [part, ...rest] = parts
    if (part === undefined) {
      found.add(folder)
      return
    }
    if (part === '**') await collect(folder, rest)
    if (!/[*?]/.test(part)) return await collect(resolve(folder, part), rest)
    const matches = new RegExp(
      `^${part
        .replaceAll(/[.+^$|\\]/g, '\\$&')
        .replaceAll(/\*+/g, '.*')
        .replaceAll('?', '.')}$`,
    )
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const isPart = matches.test(entry.name) && !['node_modules', '.git'].includes(entry.name)
      if (isPart && (entry.isDirectory() || entry.isSymbolicLink()))
        await collect(join(folder, entry.name), part === '**' && entry.isDirectory() ? parts : rest)
    }
  }
  for (const pattern of patterns.filter((one) => !one.startsWith('!'))) {
    if (/[[\]{}()]/.test(pattern)) cannot(`lists the packages of its workspace with the pattern ${pattern}`)
    else
      await collect(
        root,
        pattern.split('/').filter((part) => part !== '' && part !== '.'),
      )
  }
  const members: string[] = []
  for (const folder of found)
    if (folder !== root && (await new InstructionFiles().add(join(folder, 'package.json'))) !== null) members.push(folder)
  return members
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false
}
