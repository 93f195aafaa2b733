// The files that git takes instructions from: configuration, hooks and attributes of the repository, found in the same way as git finds it.
import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { InstructionFiles, upwards } from './instruction-files.ts'

export async function addGitInstructions(files: InstructionFiles, folder: string): Promise<void> {
  await files.addNamed(homedir(), ['.gitconfig', '.config/git/config', '.config/git/attributes'])
  await addRepositoryAt(files, folder)
}

async function addRepositoryAt(files: InstructionFiles, folder: string): Promise<void> {
  for (const above of upwards(folder)) {
    await files.addNamed(above, ['.gitattributes', '.gitmodules'])
    const found = await repositoryIn(files, above)
    if (found === null) continue
    await addRepository(files, found, above)
    await addSubmodules(files, above)
    return
  }
}

/** A folder `.git`, a file `.git` that refers to one, or the folder itself: git treats any folder with these three entries as a bare repository. */
async function repositoryIn(files: InstructionFiles, folder: string): Promise<string | null> {
  const own = join(folder, '.git')
  if (await isFolder(own)) return own
  const link = await files.add(own)
  const [, named] = /^gitdir:\s*(.+?)\s*$/m.exec(link ?? '') ?? []
  if (named !== undefined) return resolve(folder, named)
  const bare = (await isFolder(join(folder, 'objects'))) && (await isFolder(join(folder, 'refs')))
  return bare && (await exists(join(folder, 'HEAD'))) ? folder : null
}

async function addRepository(files: InstructionFiles, repository: string, worktree: string): Promise<void> {
  const shared = (await files.add(join(repository, 'commondir')))?.trim()
  for (const part of shared === undefined ? [repository] : [repository, resolve(repository, shared)]) {
    await files.addNamed(part, ['info/attributes'])
    await files.addFolder(join(part, 'hooks'), (name) => !name.endsWith('.sample'))
    for (const name of ['config', 'config.worktree']) await addConfig(files, join(part, name), worktree)
  }
}

/** Also adds the files that it includes, the hooks that it configures, and the scripts that its values start. */
async function addConfig(files: InstructionFiles, path: string, worktree: string): Promise<void> {
  const text = await files.add(path)
  if (text === null) return
  for (const [, value = ''] of text.matchAll(/^\s*hooksPath\s*=\s*(.+?)\s*$/gim)) {
    await files.addFolder(placed(value, worktree), () => true)
  }
  for (const [, value = ''] of text.matchAll(/^\s*path\s*=\s*(.+?)\s*$/gim))
    await addConfig(files, placed(value, resolve(path, '..')), worktree)
  for (const [, value = ''] of text.matchAll(/=\s*(.+?)\s*$/gm)) {
    for (const word of value.split(/[\s'"`;&|()<>=,!]+/)) if (word.includes('/')) await files.add(placed(word, worktree))
  }
}

async function addSubmodules(files: InstructionFiles, worktree: string): Promise<void> {
  const text = await new InstructionFiles().add(join(worktree, '.gitmodules'))
  for (const [, path = ''] of (text ?? '').matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)) {
    const submodule = resolve(worktree, path)
    const found = await repositoryIn(files, submodule)
    if (found !== null) await addRepository(files, found, submodule)
  }
}

function placed(value: string, folder: string): string {
  const bare = value.replace(/^"(.*)"$/, '$1')
  return bare.startsWith('~/') ? join(homedir(), bare.slice(2)) : resolve(folder, bare)
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null
}
