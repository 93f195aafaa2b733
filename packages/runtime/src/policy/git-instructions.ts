// The files that git takes instructions from: configuration, hooks and attributes of the repository, found in the same way as git finds it.
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { commonGitConfigs, type GitConfigEntry, gitConfigPath, readGitConfig } from '../sandbox/command/git-config.ts'
import { InstructionFiles, upwards } from './instruction-files.ts'

export async function addGitInstructions(files: InstructionFiles, folder: string): Promise<void> {
  for (const path of commonGitConfigs()) {
    await files.add(path)
    await files.add(join(dirname(path), 'attributes'))
  }
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

/** Read by managers of hooks, which the hooks start. */
const hookManagers = ['.pre-commit-config.yaml', 'lefthook.*', '.lefthook.*', 'lefthook-local.*', '.lintstagedrc*', 'lint-staged.config.*']

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
  const parts = shared === undefined ? [repository] : [repository, resolve(repository, shared)]
  for (const part of parts) {
    await files.addNamed(part, ['info/attributes'])
    await files.addFolder(join(part, 'hooks'), (name) => !name.endsWith('.sample'))
  }
  await files.addNamed(worktree, hookManagers)
  const own = parts.flatMap((part) => ['config', 'config.worktree'].map((name) => join(part, name)))
  const { entries, included } = readGitConfig([...own, ...commonGitConfigs()])
  for (const path of [...own, ...included]) await files.add(path)
  for (const entry of entries) await addNamedIn(files, entry, worktree)
  if (entries.some(isDriver)) await addAttributesBelow(files, worktree)
}

/** The hooks that an entry configures, and the scripts that its value starts. */
async function addNamedIn(files: InstructionFiles, { section, name, value }: GitConfigEntry, worktree: string): Promise<void> {
  if (section === 'core' && name === 'hookspath') {
    const hooks = gitConfigPath(value, worktree)
    await files.addFolder(hooks, () => true)
    // Husky generates the hooks in `_`, which run those above.
    if (basename(hooks) === '_') await files.addFolder(dirname(hooks), () => true)
  }
  for (const word of value.split(/[\s'"`;&|()<>=,!]+/)) if (word.includes('/')) await files.add(gitConfigPath(word, worktree))
}

/** Whether attributes can select a program. */
function isDriver({ section, name, value }: GitConfigEntry): boolean {
  const runs = ['clean', 'smudge', 'process', 'command', 'textconv', 'driver'].includes(name)
  return runs && ['filter', 'diff', 'merge'].includes(section) && !/^git-lfs\s/.test(value)
}

const mostFolders = 5_000

async function addAttributesBelow(files: InstructionFiles, worktree: string): Promise<void> {
  const queue = [worktree]
  for (let at = 0; at < queue.length; at += 1) {
    if (at === mostFolders) {
      files.unclear ??= `${worktree} has more than ${mostFolders} folders, which can have attributes that select programs`
      return
    }
    const folder = queue[at] ?? ''
    await files.add(join(folder, '.gitattributes'))
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (entry.isDirectory() && !['.git', 'node_modules'].includes(entry.name)) queue.push(join(folder, entry.name))
    }
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

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null
}
