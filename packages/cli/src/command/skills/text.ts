// The text of a skill for review in a terminal, and of a refusal about one.
import type { CommandError, CommandResult } from '@tandem/contract/command'
import { exitCodes } from '../../run/exit-code.ts'
import { printRefusal } from '../../terminal/refusal.ts'
import { escapeControls } from '../../terminal/terminal-text.ts'

/** Every character of it. */
export function skillText({
  skill,
  suspicions,
  text,
  files,
  review_sha256,
  folder_notes,
  compatibility,
}: CommandResult<'skill_get'>): string {
  return [
    `${skill.name} (${skill.root}) ${escapeControls(skill.path)}`,
    runsHereText(compatibility),
    ...skill.problems.map(({ title, hint }) => `${title}. ${escapeControls(hint)}`),
    ...skill.notes.map((note) => `Note: ${escapeControls(note)}`),
    ...suspicions.map(({ title, where, excerpt }) => `! ${escapeControls(where)}: ${title}: ${escapeControls(excerpt)}`),
    ...(files.length > 0 ? [`other files: ${files.map(escapeControls).join(', ')}`] : []),
    ...folder_notes.map((note) => `Note: ${escapeControls(note)}`),
    `sha256 ${review_sha256}`,
    '',
    escapeControls(text),
  ].join('\n')
}

function runsHereText({ compatible, checks }: CommandResult<'skill_get'>['compatibility']): string {
  if (!compatible) return 'Runs here: no'
  const reasons = checks.flatMap((check) => (check.result === 'passed' ? [escapeControls(check.because)] : []))
  return `Runs here: yes. ${reasons.join(' ') || 'It requires nothing.'}`
}

export function printSkillRefusal(error: CommandError): number {
  printRefusal(error)
  return error.code === 'invalid_params' ? exitCodes.usage : exitCodes.failed
}
