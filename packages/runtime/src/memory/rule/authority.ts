// How far a conclusion of an agent is trusted. What a page or a file told the agent to remember usually names a host, a path, a command or a
// permission; if the user never named it, the user must confirm the memory before it reaches a prompt. Pure.
import type { MemoryAuthority } from '@tandem/contract/memory'
import { commandsIn } from './named-commands.ts'

export interface Surroundings {
  /** What the user wrote in the conversation. Read only if something is named. */
  readonly person: readonly string[]
  /** The folder the conversation works in; null if there is none. */
  readonly workspace: string | null
}

export function authorityOfConclusion(content: string, said: Surroundings): Exclude<MemoryAuthority, 'person'> {
  const names = sensitiveNames(content, said.workspace)
  return names.length === 0 || areNamed(names, said.person) ? 'agent' : 'untrusted'
}

/** Whether all names occur in the texts, as whole names: `example.com` is not in `notexample.com`. */
function areNamed(names: readonly string[], texts: readonly string[]): boolean {
  const said = texts.join('\n')
  return names.every((name) => wholeName(name).test(said))
}

function wholeName(name: string): RegExp {
  const isPath = /^(?:[/\\~]|\.\.|[a-z]:[\\/])/i.test(name)
  const before = isPath ? '(?<![\\p{L}\\p{N}_.~/\\\\-])' : '(?<![\\p{L}\\p{N}_-]|[\\p{L}\\p{N}]\\.)'
  const after = isPath ? '(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}]|[\\\\/][^\\s.,;:!?])' : '(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])'
  const words = name.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  return new RegExp(`${before}${words.join('\\s+')}${after}`, 'iu')
}

/** Hosts, paths outside the workspace, commands and permissions. */
export function sensitiveNames(content: string, workspace: string | null): readonly string[] {
  return [...hostsIn(content), ...pathsIn(content, workspace), ...commandsIn(content), ...permissionsIn(content)]
}

const host =
  /(?<![\p{L}\p{N}_-])((?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}|localhost|\d{1,3}(?:\.\d{1,3}){3})(?=(?::\d+)?(?:[\s/,;:!?)\]"'`>]|\.?$|\.\s))/giu
/** Ends of file names, not of hosts. */
const fileEndings = new Set(
  'c cc cfg conf cpp cs css csv db doc docx gif go h html ini ipynb java jpeg jpg js json jsx kt lock log lua m md mjs pdf php png ppt pptx py r rb rs rst scss sql sqlite svg swift tex toml ts tsx txt vue xls xlsx xml yaml yml'.split(
    ' ',
  ),
)
/** Ends of both: a host unless it is in a folder. */
const bothEndings = new Set(['sh', 'zip'])
/** Ends of files that are countries, too: a host where a path follows. */
const countryEndings = new Set(['cc', 'md', 'py', 'rs'])
const address = /(?<![a-z0-9])([a-z][a-z0-9+.-]*):\/\/(?:[^\s/@"'`<>]*@)?(\[[0-9a-f:.]+\]|[^\s/:"'`<>()[\]]*)(\/[^\s"'`<>)]*)?/gi
const numbers = /(?<![\w:.])\[?((?:[0-9a-f]{1,4})?(?::[0-9a-f]{0,4}){2,7})\]?(?![\w:])/gi

function hostsIn(text: string): readonly string[] {
  const addresses = [...text.matchAll(address)]
  const inAddress = (at: number) => addresses.some(({ index, 0: whole }) => at >= index && at < index + whole.length)
  const bare = [...text.matchAll(host)].filter(({ index, 1: name = '' }) => {
    if (inAddress(index)) return false
    const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
    const isInFolder = /[\\/]$/.test(text.slice(0, index))
    if (bothEndings.has(ending)) return !isInFolder
    return !fileEndings.has(ending) || (countryEndings.has(ending) && !isInFolder && text[index + name.length] === '/')
  })
  const version6 = [...text.matchAll(numbers)].filter(
    ({ index, 1: name = '' }) => !inAddress(index) && /\d/.test(name) && (name.includes('::') || name.split(':').length === 8),
  )
  return [
    ...addresses.flatMap(([, scheme = '', name = '']) => (scheme.toLowerCase() === 'file' || name === '' ? [] : [name])),
    ...[...bare, ...version6].map(([, name = '']) => name),
  ]
}

const path = /(?:^|[\s"'`(=])((?:~|\.\.|[a-z]:)?[\\/][^\s"'`)<>|]*|~|\.\.(?=[\s"'`)]|$))/gi

function pathsIn(text: string, workspace: string | null): readonly string[] {
  const files = [...text.matchAll(/\bfile:\/\/[^\s/"'`]*(\/[^\s"'`)<>]*)/gi)]
  return [...text.matchAll(path), ...files]
    .map(([, name = '']) => name.replace(/[.,;:]+$/, ''))
    .filter((name) => name !== '' && name !== '/' && !name.startsWith('//') && !isInWorkspace(name, workspace))
}

function isInWorkspace(name: string, workspace: string | null): boolean {
  if (workspace === null || name.split(/[\\/]/).includes('..')) return false
  return name === workspace || name.startsWith(workspace.endsWith('/') ? workspace : `${workspace}/`)
}

const leaveOf = '(?:approvals?|confirmations?|permissions?|consent|sign-?offs?)'
const permission = new RegExp(
  [
    String.raw`\b(?:without|no|skip(?:ping)?|bypass(?:ing)?|disabl(?:e|ing)|turn(?:ing)? off|ignor(?:e|ing)|never)\s+(?:\w+\s+){0,3}(?:approval|approvals|asking|confirmation|confirmations|permission|permissions|prompt|prompts|sandbox|policy|policies|warning|warnings|check|checks|checkpoint|checkpoints)`,
    String.raw`\b(?:not|n['’]t|never|no longer|no need to|needn['’]t)\s+(?:(?:need|have|required|supposed|necessary)\s+)?(?:to\s+)?(?:ask|confirm|wait for|check with|get)\b(?:\s+\w+){0,4}?(?=[.,;!?]|$|\s+(?:before|first|when|to|for|if|about|user|me|again|approval|permission|confirmation))`,
    String.raw`\b${leaveOf}\s+(?:is|are|was|were)(?:n['’]t|\s+(?:not|never|no longer))\s+(?:needed|required|necessary)`,
    String.raw`\b${leaveOf}\s+(?:is|are)\s+(?:unnecessary|optional|implied|already (?:given|granted))`,
    String.raw`\bneeds? no\s+${leaveOf}`,
    String.raw`\b(?:does not|doesn['’]t|do not|don['’]t|never)\s+(?:need|require)s?\s+(?:an?\s+|any\s+|your\s+|the\s+|further\s+)?(?:\w+['’]s\s+)?${leaveOf}`,
    String.raw`\b(?:auto(?:matically)?[- ]?|always )(?:approve|allow|accept|run|execute|trust)\w*`,
    String.raw`\b(?:may|is allowed to|are allowed to|has permission to|can safely) (?:\w+ )?(?:run|execute|delete|write|send|upload|access|install)`,
    String.raw`\b(?:full|root|admin(?:istrator)?) (?:access|rights|permissions?)`,
    String.raw`\btrusted (?:mode|sandbox)`,
  ].join('|'),
  'gi',
)

function permissionsIn(text: string): readonly string[] {
  return [...text.matchAll(permission)].map(([found]) => found.trim())
}
