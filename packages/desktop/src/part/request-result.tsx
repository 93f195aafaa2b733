// Renders a response of the runtime, a placeholder while it is loading, or the reason and the remedy of a failure.
import type { ReactNode } from 'react'
import type { ReadRequest } from '../client/use-request.ts'
import { words } from '../strings/window.ts'
import { LoadError, LoadingPlaceholder } from './load-error.tsx'
import { EmptyState } from './page-layout.tsx'

export function RequestResult<Value>({
  reading: { state: asked, reload: again },
  children,
}: {
  reading: ReadRequest<Value>
  children: (value: Value) => ReactNode
}) {
  if (asked.state === 'loading') return <LoadingPlaceholder />
  if (asked.state === 'ready') return children(asked.value)
  return asked.error.code === 'not_available' ? (
    <EmptyState>{words.settings.notYet}</EmptyState>
  ) : (
    <LoadError error={asked.error} again={again} />
  )
}
