// A source in the list: what it is, whose it is, how it is, and what can be done with it.
import type { KnowledgeSource } from '@tandem/contract/knowledge'
import { useState } from 'react'
import { followLink, sourceAddress } from '../address.ts'
import { visibleName } from '../text/name.ts'
import { EditSource } from './edit-source.tsx'
import { SourceActions } from './source-actions.tsx'
import { SourceFacts, SourceState } from './source-facts.tsx'
import { SourceProblem } from './source-problem.tsx'
import { SourceProgress } from './source-progress.tsx'

interface Props {
  readonly source: KnowledgeSource
  again(): Promise<void>
  /** `again` is called by default. */
  onRemoved?(): void
  /** Not on its own page. */
  readonly isLinked?: boolean
}

export function SourceRow({ source, again, onRemoved = again, isLinked = true }: Props) {
  const [editing, setEditing] = useState(false)
  const name = visibleName(source.name)
  const saved = () => {
    setEditing(false)
    void again()
  }
  return (
    <article aria-label={name}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
            {isLinked ? (
              <a
                href={sourceAddress(source.source_id)}
                onClick={followLink}
                className="min-w-0 break-words font-medium text-cloud underline-offset-4 hover:underline"
              >
                <bdi>{name}</bdi>
              </a>
            ) : (
              <bdi className="min-w-0 break-words font-medium">{name}</bdi>
            )}
            <SourceState state={source.state} />
          </p>
          <SourceFacts source={source} isLinked={isLinked} />
        </div>
        <SourceActions source={source} isEditing={editing} onEdit={() => setEditing(!editing)} again={again} />
      </div>
      <SourceProgress source={source} again={again} />
      <SourceProblem source={source} />
      {editing && <EditSource source={source} onDone={saved} onRemoved={onRemoved} />}
    </article>
  )
}
