// "Used 4 memories" at a run: what its prompt contained, what has become of it since, and how to correct it.
import type { CommandResult } from '@tandem/contract/command'
import type { Memory } from '@tandem/contract/memory'
import { useEffect, useState } from 'react'
import { followLink, memoryAddress } from '../../address.ts'
import { useWindowState } from '../../client/use-client.ts'
import { type ReadRequest, useCommand } from '../../client/use-request.ts'
import { Badge } from '../../part/badge.tsx'
import { Button } from '../../part/form/button.tsx'
import { RequestResult } from '../../part/request-result.tsx'
import { showMemoriesOf, useRunWithShownMemories } from '../../store/shown-memories.ts'
import { memoryWords } from '../../strings/memory.ts'
import { words } from '../../strings/window.ts'
import { visibleText } from '../../text/visible.ts'
import { MemoryDialog } from '../memory-dialog.tsx'
import { CorrectionForm } from './correction-form.tsx'

const told = memoryWords.used

type Used = CommandResult<'memory_of_run'>

export function UsedMemoriesDialog({ conversation_id }: { conversation_id: string }) {
  const run_id = useRunWithShownMemories()
  const run = useWindowState(({ runs }) => (run_id === null ? undefined : runs.get(run_id)))
  useEffect(() => () => showMemoriesOf(null), [])
  if (!run || run.conversation_id !== conversation_id) return null
  return <OpenDialog key={run.run_id} run_id={run.run_id} agent_id={run.agent_id} conversation_id={conversation_id} />
}

function OpenDialog(at: { run_id: string; agent_id: string; conversation_id: string }) {
  const { run_id } = at
  const reading = useCommand('memory_of_run', { run_id })
  const [correcting, setCorrecting] = useState<Memory | null>(null)
  const [left, setLeft] = useState<string | null>(null)
  const count = useWindowState(({ runs }) => runs.get(run_id)?.memories_used ?? 0)
  const dialog =
    correcting === null
      ? { title: told.title(count), lead: told.lead }
      : { title: memoryWords.correction.title, lead: memoryWords.correction.lead }
  const goBack = () => {
    setLeft(correcting?.id ?? null)
    setCorrecting(null)
  }
  return (
    <MemoryDialog {...dialog} onClose={() => showMemoriesOf(null)}>
      {(close) =>
        correcting === null ? (
          <UsedMemories reading={reading} left={left} onCorrect={setCorrecting} onClose={close} />
        ) : (
          <CorrectionForm at={at} corrected={correcting} autoFocus cancel={told.back} onCancel={goBack} onClose={close}>
            <blockquote className="break-words border-line border-l-2 pl-3 text-soft">{visibleText(correcting.content)}</blockquote>
          </CorrectionForm>
        )
      }
    </MemoryDialog>
  )
}

interface Props {
  readonly reading: ReadRequest<Used>
  /** The memory whose correction was left; it gets the focus. */
  readonly left: string | null
  onCorrect(memory: Memory): void
  onClose(): void
}

function UsedMemories({ reading, left, onCorrect, onClose }: Props) {
  return (
    <>
      <RequestResult reading={reading}>
        {({ items }) => (
          <ul className="mb-4 divide-y divide-line border-line border-y">
            {items.map((item) => (
              <li key={item.memory_id} className="py-3">
                <UsedMemory {...item} left={left} onCorrect={onCorrect} />
              </li>
            ))}
          </ul>
        )}
      </RequestResult>
      <Button onClick={onClose}>{words.close}</Button>
    </>
  )
}

/** Nothing is known of a forgotten memory, so nothing is shown of it. */
function UsedMemory({ fate, memory, left, onCorrect }: Used['items'][number] & Pick<Props, 'left' | 'onCorrect'>) {
  if (memory === null) return <p className="text-faint">{told.fates.forgotten}</p>
  const content = visibleText(memory.content)
  // The agent was told something else then.
  const isOther = (fate === 'corrected' || fate === 'replaced') && memory.state !== 'superseded'
  return (
    <>
      <p className="line-clamp-4 break-words">
        {isOther && <span className="text-faint">{told.now} </span>}
        {content}
      </p>
      <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Badge>{memoryWords.kinds[memory.memory_kind]}</Badge>
        {fate !== 'active' && <Badge tone="warn">{told.fates[fate]}</Badge>}
        <span className="flex grow justify-end gap-4">
          {memory.state === 'active' && (
            <button
              type="button"
              onClick={() => onCorrect(memory)}
              aria-label={told.correctOf(content)}
              // biome-ignore lint/a11y/noAutofocus: the focus returns to where it was.
              autoFocus={memory.id === left}
              className="link-button"
            >
              {told.correct}
            </button>
          )}
          <a href={memoryAddress(memory.id)} onClick={followLink} aria-label={told.openOf(content)} className="link-button">
            {told.open}
          </a>
        </span>
      </p>
    </>
  )
}
