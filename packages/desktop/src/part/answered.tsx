// Renders a response of the runtime, a placeholder while it is loading, or the reason and the remedy of a failure.
import type { ReactNode } from 'react'
import type { Reading } from '../desk/use-asked.ts'
import { words } from '../strings/window.ts'
import { Empty } from './place.tsx'
import { Trouble, Waiting } from './trouble.tsx'

export function Answered<Value>({
  reading: { asked, again },
  children,
}: {
  reading: Reading<Value>
  children: (value: Value) => ReactNode
}) {
  if (asked.state === 'loading') return <Waiting />
  if (asked.state === 'ready') return children(asked.value)
  return asked.error.code === 'not_available' ? <Empty>{words.settings.notYet}</Empty> : <Trouble error={asked.error} again={again} />
}
