// How far a conclusion of an agent is trusted. What a page or a file told the agent to remember usually names a host, a path, a command or a
// permission; if the user never named it, the user must confirm the memory before it reaches a prompt. Pure.
import type { MemoryAuthority } from '@tandem/contract/memory'

export interface Surroundings {
  /** What the user wrote in the conversation. */
  readonly person: readonly string[]
  /** The folder the conversation works in; null if there is none. */
  readonly workspace: string | null
}

export function authorityOfConclusion(content: string, { person, workspace }: Surroundings): Exclude<MemoryAuthority, 'person'> {
  const said = person.join('\n').toLowerCase()
  const named = sensitiveNames(content, workspace)
  return named.every((name) => said.includes(name.toLowerCase())) ? 'agent' : 'untrusted'
}

/** Hosts, paths outside the workspace, commands and permissions. */
export function sensitiveNames(content: string, workspace: string | null): readonly string[] {
  return [...hostsIn(content), ...pathsIn(content, workspace), ...commandsIn(content), ...permissionsIn(content)]
}

const host =
  /\b(?:[a-z][a-z0-9+.-]*:\/\/)?((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}|localhost|\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?(?=[\s/,;:)\]"'`]|\.?$|\.\s)/gi
/** Ends of file names, not of hosts. */
const fileEndings = new Set(
  'c cc cfg conf cpp cs css csv db doc docx gif go h html ini ipynb java jpeg jpg js json jsx kt lock log lua m md mjs pdf php png ppt pptx py r rb rs rst scss sh sql sqlite svg swift tex toml ts tsx txt vue xls xlsx xml yaml yml zip'.split(
    ' ',
  ),
)

function hostsIn(text: string): readonly string[] {
  return [...text.matchAll(host)].flatMap(([whole, name = '']) => {
    const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
    return fileEndings.has(ending) && !whole.includes('://') ? [] : [name]
  })
}

const path = /(?:^|[\s"'`(=])((?:~|\.\.|[a-z]:)?[\\/][^\s"'`)<>|]*|~|\.\.(?=[\s"'`)]|$))/gi

function pathsIn(text: string, workspace: string | null): readonly string[] {
  return [...text.matchAll(path)]
    .map(([, name = '']) => name.replace(/[.,;:]+$/, ''))
    .filter((name) => name !== '' && name !== '/' && !name.startsWith('//') && !isInWorkspace(name, workspace))
}

function isInWorkspace(name: string, workspace: string | null): boolean {
  if (workspace === null || name.split(/[\\/]/).includes('..')) return false
  return name === workspace || name.startsWith(workspace.endsWith('/') ? workspace : `${workspace}/`)
}

/** Programs that can do harm or reach out, followed by something to do. */
const command =
  /(?:^|[\s`"'(;&|$])((?:sudo|doas|su|sh|bash|zsh|fish|powershell|pwsh|cmd|curl|wget|ssh|scp|rsync|nc|ncat|telnet|ftp|rm|rmdir|mv|dd|mkfs|chmod|chown|kill|killall|pkill|eval|exec|source|export|alias|crontab|systemctl|service|docker|podman|kubectl|helm|terraform|git|npm|npx|pnpm|yarn|pip|pipx|uv|cargo|go|gem|brew|apt|apt-get|dnf|yum|node|deno|bun|python|python3|ruby|perl|php|osascript|open|xdg-open|gh|aws|gcloud|az)\s+(?:-{1,2}[a-z][\w-]*|[\w./:@~-]+)[^`"'\n.]*)/gi

function commandsIn(text: string): readonly string[] {
  const quoted = [...text.matchAll(/`([^`\n]{2,})`/g)].map(([, code = '']) => code.trim()).filter((code) => /\s|[;&|$]/.test(code))
  const bare = [...text.matchAll(command)].map(([, code = '']) => code.trim()).filter(looksTyped)
  return [...quoted, ...bare]
}

/** "git commit messages" are words, `git commit -m` is a command. */
function looksTyped(code: string): boolean {
  return /\s-{1,2}[a-z]|[/|;&$=<>]|:\/\//i.test(code)
}

const permission =
  /\b(?:(?:without|no|skip(?:ping)?|bypass(?:ing)?|disabl(?:e|ing)|turn(?:ing)? off|ignor(?:e|ing)|never)\s+(?:\w+\s+){0,3}(?:approval|approvals|asking|confirmation|confirmations|permission|permissions|prompt|prompts|sandbox|policy|policies|warning|warnings|check|checks|checkpoint|checkpoints)|(?:auto(?:matically)?[- ]?|always )(?:approve|allow|accept|run|execute|trust)\w*|(?:may|is allowed to|has permission to|can safely) (?:\w+ )?(?:run|execute|delete|write|send|upload|access|install)|(?:full|root|admin(?:istrator)?) (?:access|rights|permissions?)|trusted (?:mode|sandbox))/gi

function permissionsIn(text: string): readonly string[] {
  return [...text.matchAll(permission)].map(([found]) => found)
}
