// A message that the user wrote while a run was open, until the run has received it.
import { CopyButton } from '../part/copy-button.tsx'
import type { QueuedStatus } from '../store/queued-message.ts'
import { teamWords } from '../strings/team.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

export function QueuedView({ text, status }: { text: string; status: QueuedStatus }) {
  return (
    <div data-role="user" data-queued={status} className="flex flex-col items-end">
      <p
        dir="auto"
        className="max-w-[85%] whitespace-pre-wrap break-words rounded-2xl rounded-br-md border border-line-strong border-dashed px-4 py-2.5 text-soft"
      >
        <span className="sr-only">{words.thread.you}: </span>
        {visibleText(text)}
      </p>
      <p className={`mt-1 flex items-center gap-2 text-sm ${status === 'missed' ? 'text-warn' : 'text-faint'}`}>
        {teamWords[status]}
        {status === 'missed' && <CopyButton text={text} />}
      </p>
    </div>
  )
}
