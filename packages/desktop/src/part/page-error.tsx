// Shows an error if a page crashes or its code cannot be loaded; the rest of the window keeps working.
import { Component, type ReactNode } from 'react'
import { words } from '../strings/window.ts'
import { Button } from './form/button.tsx'

interface State {
  readonly error: Error | null
}

export class PageError extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render() {
    if (!this.state.error) return this.props.children
    return (
      <div role="alert" className="rounded-xl border border-line bg-bad-soft p-6">
        <h1 className="font-semibold text-lg">{words.pageFailed.title}</h1>
        <p className="mt-1 mb-4 text-soft">{this.state.error.message}</p>
        <Button onClick={() => location.reload()}>{words.pageFailed.again}</Button>
      </div>
    )
  }
}
