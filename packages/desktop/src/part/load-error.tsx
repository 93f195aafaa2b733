import type { CallError } from '../connection/channel.ts'
import { words } from '../strings/window.ts'
import { visibleSentence } from '../text/sentence.ts'
import { visibleText } from '../text/visible.ts'
import { Button } from './form/button.tsx'

/** What could not be read, the remedy, and a button to try again. */
export function LoadError({ error, again }: { error: Pick<CallError, 'message' | 'remedy'>; again(): void }) {
  return (
    <div role="alert" className="rounded-xl border border-line bg-bad-soft p-4">
      <p className="break-words font-medium">{visibleSentence(error.message)}</p>
      <p className="mt-1 mb-3 break-words text-soft">{visibleText(error.remedy)}</p>
      <Button onClick={again}>{words.reconnect}</Button>
    </div>
  )
}

/** A placeholder while content is loading. */
export function LoadingPlaceholder({ children }: { children?: string }) {
  return (
    <div role="status" className="space-y-3 p-4">
      <p className={children === undefined ? 'sr-only' : 'text-faint'}>{children ?? words.loading}</p>
      {/* Only what has no words: a text that fades cannot be read all the time. */}
      <div className="space-y-3 motion-safe:animate-pulse">
        <div className="h-4 w-3/5 rounded bg-line/60" />
        <div className="h-4 w-4/5 rounded bg-line/60" />
        <div className="h-4 w-2/5 rounded bg-line/60" />
      </div>
    </div>
  )
}
