// The conflicts of a merge at the terminal: each is shown with its sides and their authors, and resolved with a letter.
import type { ApprovalPrompt } from '@tandem/contract/run'
import { type ConflictChoice, type ConflictResolution, type MergeConflict, openConflicts, withResolutions } from '@tandem/contract/team'
import { styled } from '../terminal/style.ts'
import { escapeControls } from '../terminal/terminal-text.ts'

type Ask = (question: string) => Promise<string | null>

/** Own text is written in the window. */
const letters = { current: '[c]urrent', member: '[m]ember', both: '[b]oth' } as const satisfies Record<
  Exclude<ConflictChoice, 'text'>,
  string
>

/** The arguments with the user's choices; unchanged if nothing is open. Null if conflicts stay open: then the call is not approved. */
export async function resolveConflicts(approval: ApprovalPrompt, ask: Ask, write: (text: string) => void): Promise<string | null> {
  const { preview, arguments: args } = approval
  if (preview?.kind !== 'merge') return args
  const { listed, unlisted } = openConflicts(preview, args)
  if (unlisted > 0) {
    write('Some conflicts are in files that are not listed. Deny the merge, and ask the agent to merge fewer members at once.\n')
    return null
  }
  const paths = new Map(preview.files.flatMap(({ path, conflicts }) => conflicts.map(({ conflict_id }) => [conflict_id, path])))
  const chosen = new Map<string, ConflictResolution>()
  for (const [index, conflict] of listed.entries()) {
    write(`\n${conflictText(conflict, paths.get(conflict.conflict_id) ?? '', `Conflict ${index + 1} of ${listed.length}`)}\n`)
    const use = await chooseFor(conflict, ask, write)
    if (use === null) {
      write('The merge was not approved. To write a text of your own, resolve the conflicts in the window.\n')
      return null
    }
    chosen.set(conflict.conflict_id, { conflict_id: conflict.conflict_id, use })
  }
  return withResolutions(args, chosen)
}

async function chooseFor(conflict: MergeConflict, ask: Ask, write: (text: string) => void): Promise<ConflictChoice | null> {
  const choices = conflict.choices.filter((choice) => choice !== 'text')
  for (;;) {
    const typed = await ask(`${choices.map((choice) => letters[choice]).join(', ')}, [l]ater: `)
    const word = typed?.trim().toLowerCase() ?? 'l'
    if (word === 'l' || word === 'later') return null
    const found = choices.find((choice) => word === choice || word === choice.charAt(0))
    if (found) return found
    write('Type one of the letters in brackets.\n')
  }
}

const sides = { base: 'before', current: 'current', member: 'member' } as const

function conflictText(conflict: MergeConflict, path: string, number: string): string {
  const line = conflict.line === null ? '' : `, line ${conflict.line}`
  const shown = (Object.keys(sides) as (keyof typeof sides)[]).flatMap((name) => {
    const { author, text, truncated } = conflict[name]
    const head = author === null ? `${sides[name]}:` : `${sides[name]}, by ${escapeControls(author)}:`
    const body =
      text === null
        ? ['  (nothing)']
        : escapeControls(text.replace(/\n$/, ''))
            .split('\n')
            .map((one) => `  ${one}`)
    return [styled('dim', head), ...body, ...(truncated ? [styled('yellow', '  … the rest is too long to show')] : [])]
  })
  return [styled('bold', `${number}: ${escapeControls(path)}${line}`), escapeControls(conflict.message), ...shown].join('\n')
}
