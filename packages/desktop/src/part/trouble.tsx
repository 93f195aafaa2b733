import type { CallError } from '../connection/channel.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { Button } from './button.tsx'

/** What could not be read, what to do about it, and another try. */
export function Trouble({ error, again }: { error: Pick<CallError, 'message' | 'remedy'>; again(): void }) {
  return (
    <div role="alert" className="rounded-xl border border-line bg-bad-soft p-4">
      <p className="break-words font-medium">{visibleText(error.message)}</p>
      <p className="mt-1 mb-3 break-words text-soft">{visibleText(error.remedy)}</p>
      <Button onClick={again}>{words.reconnect}</Button>
    </div>
  )
}

export function Waiting({ children = words.loading }: { children?: string }) {
  return (
    <p role="status" className="p-4 text-faint">
      {children}
    </p>
  )
}
