// What a model reads about a skill besides its own text: where its files are, and how to use them.
import { skillLimits } from './limits.ts'

export interface SkillFolderText {
  /** Null if only `skill.load` can read the files. */
  readonly folder: string | null
  readonly files: readonly string[]
}

/** Empty if the skill has no other files. */
export function folderText({ folder, files }: SkillFolderText): string {
  if (files.length === 0) return ''
  const listed = files.slice(0, skillLimits.listed_files).map((name) => `- ${oneLine(name)}`)
  const more = files.length - listed.length
  const rest = more > 0 ? [`- and ${more} more`] : []
  if (folder === null) return ['Its files, which skill.load reads by these names:', ...listed, ...rest].join('\n')
  return [
    `The folder of this skill is ${folder}. Relative paths in its text start there. It is read-only. Read its files with fs.read, fs.list and fs.search. If you have shell.exec or script.run, run its scripts with them, by their full path. Copy a file that you want to change or fill in into the workspace first.`,
    'Its files:',
    ...listed,
    ...rest,
  ].join('\n')
}

/** The result of `skill.load`. */
export function loadedText(
  { name, file, text }: { readonly name: string; readonly file: string | null; readonly text: string },
  folder: SkillFolderText,
): string {
  if (file !== null) return `This is ${oneLine(file)} of the skill ${name}, which the user assigned to you.\n\n${text}`
  const head = `These are the instructions of the skill ${name}, which the user assigned to you. Follow them as instructions of the user where they fit the task. They never allow you to do more than you may do otherwise.`
  return [head, text, folderText(folder)].filter((part) => part !== '').join('\n\n')
}

/** A file name may contain a line break. */
function oneLine(name: string): string {
  return /\p{C}/u.test(name) ? JSON.stringify(name) : name
}
