// The text files of a skill: listed and read one by one, only inside the skill's own folder.
import { isAbsolute, join } from 'node:path'
import { type FileProblem, placeInside, readPlainFile } from './files.ts'
import { skillLimits } from './limits.ts'

const whyUnread = {
  missing: 'there is no such file',
  outside: 'it is not in the folder of the skill',
  not_a_file: 'it is not a file',
  too_large: `it is larger than ${skillLimits.resource_bytes / 1024} KiB`,
  unreadable: 'it cannot be read',
  not_text: 'it is not a text file',
} as const satisfies Record<FileProblem | 'not_text', string>

export type ResourceText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string }

export function readResource(folder: string, name: string): ResourceText {
  const failed = (why: keyof typeof whyUnread): ResourceText => ({ ok: false, why: whyUnread[why] })
  if (isAbsolute(name) || name.includes('\0') || name.split(/[\\/]/).includes('..')) return failed('outside')
  const place = placeInside(join(folder, name), [folder])
  if (!place.ok) return failed(place.why)
  const opened = readPlainFile(place.path, skillLimits.resource_bytes)
  if (!opened.ok) return failed(opened.why)
  const bytes = opened.bytes ?? Buffer.alloc(0)
  return bytes.includes(0) ? failed('not_text') : { ok: true, text: bytes.toString('utf8') }
}
