// The files that make takes instructions from: its Makefile, what it includes, and those of the folders in which it starts itself again.
import { join, resolve } from 'node:path'
import type { InstructionFiles } from './instruction-files.ts'
import type { EnterFolder } from './script-instructions.ts'

export async function followMakefiles(files: InstructionFiles, folder: string, enter: EnterFolder): Promise<void> {
  for (const name of ['GNUmakefile', 'makefile', 'Makefile']) await followMakefile(files, join(folder, name), folder, enter)
}

/** Names with variables or patterns cannot be followed: only make can resolve them. */
async function followMakefile(files: InstructionFiles, path: string, folder: string, enter: EnterFolder): Promise<void> {
  const text = await files.add(path)
  if (text === null) return
  const { included, entered, unclear } = namedInMakefile(text)
  if (unclear !== null) files.unclear ??= `${path} includes ${unclear}, which only make can resolve`
  for (const name of included) await followMakefile(files, resolve(folder, name), folder, enter)
  for (const name of entered) await enter('make', resolve(folder, name))
}

interface MakefileNames {
  readonly included: readonly string[]
  /** Folders in which make is started. */
  readonly entered: readonly string[]
  /** The first name that only make can resolve. */
  readonly unclear: string | null
}

function namedInMakefile(text: string): MakefileNames {
  const lines = text.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/)
  const included = lines.flatMap((line) => /^ *[-s]?include[ \t]+([^#]*)/.exec(line)?.[1]?.split(/\s+/).filter(Boolean) ?? [])
  const starts = lines.filter((line) => !/^\s*#/.test(line)).flatMap(startsIn)
  const files = starts.flatMap((start) => start.files)
  const entered = starts.flatMap((start) => start.folders)
  const hidden = lines.find((line) => /\$[({](?:eval|call)\b.*\binclude\b/.test(line))
  const unclear = [...included, ...files, ...entered].find((name) => /[$*?[%`"'~]/.test(name)) ?? hidden?.trim() ?? null
  return { included: [...included, ...files], entered, unclear }
}

const startsMake = /(?:\$[({]MAKE[)}]|(?<=^|[\s;&|(@+-])g?make(?=[\s;&|)]|$))([^;&|\n]*)/g

/** The folders and files that a line passes to make. More than one change of the folder is not followed. */
function startsIn(line: string): readonly { readonly files: readonly string[]; readonly folders: readonly string[] }[] {
  return [...line.matchAll(startsMake)].map((found) => {
    const changed = matchesOf(line.slice(0, found.index), /(?:^|[\s;&|(@+-])(?:cd|pushd)[ \t]+([^\s;&|)]+)/g)
    const passed = matchesOf(found[1] ?? '', /\s(?:-C[ \t]*|--directory(?:=|[ \t]+))([^\s;&|)]+)/g)
    const files = matchesOf(found[1] ?? '', /\s(?:-f[ \t]*|--(?:make)?file(?:=|[ \t]+))([^\s;&|)]+)/g)
    const isPlain = changed.length === 0 ? passed.length === 0 || files.length === 0 : changed.length + passed.length + files.length === 1
    return isPlain ? { files, folders: [...changed, ...passed] } : { files: [], folders: [`$ ${line.trim()}`] }
  })
}

function matchesOf(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name)
}
