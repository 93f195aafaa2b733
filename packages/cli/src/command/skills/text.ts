// The text of a skill for review in a terminal, and of a refusal about one.
import type { CommandError, CommandResult } from '@tandem/contract/command'
import { exitCodes } from '../../run/exit-code.ts'
import { visible } from '../../terminal/plain.ts'
import { sayRefusal } from '../../terminal/refusal.ts'

/** Every character of it. */
export function skillText({ skill, suspicions, text, files }: CommandResult<'skill_get'>): string {
  return [
    `${skill.name} (${skill.root}) ${visible(skill.path)}`,
    ...skill.problems.map(({ title, hint }) => `${title}. ${visible(hint)}`),
    ...suspicions.map(({ title, excerpt }) => `! ${title}: ${visible(excerpt)}`),
    ...(files.length > 0 ? [`other files: ${files.map(visible).join(', ')}`] : []),
    `sha256 ${skill.content_sha256}`,
    '',
    visible(text),
  ].join('\n')
}

export function refused(error: CommandError): number {
  sayRefusal(error)
  return error.code === 'invalid_params' ? exitCodes.usage : exitCodes.failed
}
