// What an agent does in one call.
import type { FailureContract } from '../../packages/contract/src/failure/index.ts'

export type Action =
  | string
  | { readonly command: string; readonly seconds: number }
  | { readonly script: 'python' | 'node' | 'bash'; readonly code: string; readonly seconds?: number }
  | { readonly read: string }
  | { readonly list: string }
  | { readonly search: string; readonly within: string }
  | { readonly write: string; readonly content: string }
  | { readonly edit: string; readonly old: string; readonly new: string }
  | { readonly refused: string; readonly arguments: Readonly<Record<string, unknown>>; readonly failure: FailureContract }

/** The program that a command starts, without what leads up to it. */
export function programOf(action: Action): string {
  if (typeof action === 'object' && 'script' in action) return action.script
  const command = typeof action === 'string' ? action : 'command' in action ? action.command : null
  if (command === null) return 'tool'
  const last = command.split(/&&|;/).find((part) => !/^\s*(cd|\.|source|export|set|mkdir -p)\s/.test(part)) ?? command
  const word = last
    .trim()
    .split(/\s+/)
    .find((part) => !/^\w+=/.test(part))
  const name = (word ?? '').replace(/^.*\//, '').replace(/^python3?$/, 'python')
  return name === 'timeout' ? programOf(last.replace(/^\s*timeout(\s+-\S+)*\s+\S+\s+/, '')) : name.endsWith('.sh') ? 'bash' : name
}
