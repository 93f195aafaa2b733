// One source: the files that were left out, with the reasons, and all of its files.
import type { KnowledgeSource } from '@tandem/contract/knowledge'
import { followLink, goTo } from '../address.ts'
import type { ReadRequest } from '../client/use-request.ts'
import { EmptyState, PageLayout } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel } from '../part/section.tsx'
import { isUnknown } from '../part/unknown.ts'
import { knowledgeWords } from '../strings/knowledge.ts'
import { visibleName } from '../text/name.ts'
import { LeftOutFiles } from './left-out-files.tsx'
import { SourceFiles } from './source-files.tsx'
import { SourceRow } from './source-row.tsx'
import { useSource } from './use-sources.ts'

export function SourcePage({ source_id }: { source_id: string }) {
  const reading = useSource(source_id)
  const { state: asked } = reading
  const isGone = asked.state === 'failed' && isUnknown(asked.error)
  const title = asked.state === 'ready' ? visibleName(asked.value.source.name) : knowledgeWords.title
  return (
    <PageLayout title={title} lead="">
      <p className="-mt-4 mb-4 text-sm">
        <a href="/knowledge" onClick={followLink} className="text-cloud underline underline-offset-4">
          {knowledgeWords.backToSources}
        </a>
      </p>
      {isGone ? (
        <EmptyState>{knowledgeWords.sourceGone}</EmptyState>
      ) : (
        <RequestResult reading={reading}>{({ source }) => <Opened source={source} reading={reading} />}</RequestResult>
      )}
    </PageLayout>
  )
}

function Opened({ source, reading }: { source: KnowledgeSource; reading: ReadRequest<unknown> }) {
  const { source_id, state, files, left_out, checked_at, progress } = source
  const version = `${state} ${files} ${left_out} ${checked_at} ${progress?.done ?? 0}`
  return (
    <>
      <Panel className="mb-8 px-4 py-3">
        <SourceRow source={source} again={reading.reload} onRemoved={() => goTo('/knowledge')} isLinked={false} />
      </Panel>
      <LeftOutFiles source_id={source_id} version={version} />
      <SourceFiles source_id={source_id} version={version} />
    </>
  )
}
