// Draws what a command answered; while it is asked says so, and when it refused says why and what to do.
import type { ReactNode } from 'react'
import type { Answer } from '../connection/channel.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { Empty } from './place.tsx'

export function Answered<Value>({ answer, children }: { answer: Answer<Value> | null; children: (value: Value) => ReactNode }) {
  if (!answer) return <p className="text-faint">{words.loading}</p>
  if (answer.ok) return children(answer.value)
  if (answer.error.code === 'not_available') return <Empty>{words.settings.notYet}</Empty>
  return (
    <div role="alert" className="rounded-xl border border-line bg-warn-soft px-4 py-3">
      <p className="text-warn">{visibleText(answer.error.message)}</p>
      <p className="text-soft text-sm">{visibleText(answer.error.remedy)}</p>
    </div>
  )
}
