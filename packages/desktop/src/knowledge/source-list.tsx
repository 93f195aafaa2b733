import type { KnowledgeSource } from '@tandem/contract/knowledge'
import { followLink } from '../address.ts'
import type { ReadRequest } from '../client/use-request.ts'
import { EmptyState } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel } from '../part/section.tsx'
import { knowledgeWords } from '../strings/knowledge.ts'
import { SourceRow } from './source-row.tsx'

export function SourceList({ sources }: { sources: ReadRequest<readonly KnowledgeSource[]> }) {
  return (
    <>
      <p className="mb-4 max-w-2xl text-pretty text-soft text-sm">
        {knowledgeWords.scopeNote}{' '}
        <a href="/agents" onClick={followLink} className="text-cloud underline underline-offset-4">
          {knowledgeWords.scopeLink}
        </a>
      </p>
      <RequestResult reading={sources}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState>{knowledgeWords.empty}</EmptyState>
          ) : (
            <Panel>
              <ul className="divide-y divide-line">
                {list.map((source) => (
                  <li key={source.source_id} className="px-4 py-3">
                    <SourceRow source={source} again={sources.reload} />
                  </li>
                ))}
              </ul>
            </Panel>
          )
        }
      </RequestResult>
    </>
  )
}
