// The text of a skill for review in a terminal, and of a refusal about one.
import type { CommandError, CommandResult } from '@tandem/contract/command'
import { exitCodes } from '../../run/exit-code.ts'
import { printRefusal } from '../../terminal/refusal.ts'
import { escapeControls } from '../../terminal/terminal-text.ts'

/** Every character of it. */
export function skillText({ skill, suspicions, text, files }: CommandResult<'skill_get'>): string {
  return [
    `${skill.name} (${skill.root}) ${escapeControls(skill.path)}`,
    ...skill.problems.map(({ title, hint }) => `${title}. ${escapeControls(hint)}`),
    ...suspicions.map(({ title, excerpt }) => `! ${title}: ${escapeControls(excerpt)}`),
    ...(files.length > 0 ? [`other files: ${files.map(escapeControls).join(', ')}`] : []),
    `sha256 ${skill.content_sha256}`,
    '',
    escapeControls(text),
  ].join('\n')
}

export function printSkillRefusal(error: CommandError): number {
  printRefusal(error)
  return error.code === 'invalid_params' ? exitCodes.usage : exitCodes.failed
}
