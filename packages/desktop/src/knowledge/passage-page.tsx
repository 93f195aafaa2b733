// A passage that a citation names, as it is now, in its document.
import type { CommandResult } from '@tandem/contract/command'
import type { KnowledgePassage } from '@tandem/contract/knowledge'
import type { ReactNode } from 'react'
import { followLink, sourceAddress } from '../address.ts'
import { type ReadRequest, useCommand } from '../client/use-request.ts'
import type { CallError } from '../connection/channel.ts'
import { PageLayout } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { isUnknown } from '../part/unknown.ts'
import { knowledgeWords } from '../strings/knowledge.ts'
import { visibleName } from '../text/name.ts'
import { visibleSentence } from '../text/sentence.ts'
import { visibleText } from '../text/visible.ts'
import { OutdatedNotice } from './outdated-notice.tsx'
import { PassageText } from './passage-text.tsx'

const told = knowledgeWords.facts

interface PageProps {
  readonly passage_id: string
  /** The run that cited it. */
  readonly run_id: string | undefined
}

export function PassagePage({ passage_id, run_id }: PageProps) {
  const reading = useCommand('kb_passage', { passage_id, ...(run_id === undefined ? {} : { run_id }) })
  const { state: asked } = reading
  const title = asked.state === 'ready' ? visibleName(asked.value.passage.name) : knowledgeWords.passage
  return (
    <PageLayout title={title} lead="">
      <p className="-mt-4 mb-4 text-sm">
        <a href="/knowledge" onClick={followLink} className="text-cloud underline underline-offset-4">
          {knowledgeWords.backToSources}
        </a>
      </p>
      {asked.state === 'failed' && isUnknown(asked.error) ? (
        <Gone error={asked.error} />
      ) : (
        <RequestResult reading={reading}>{({ passage }) => <Opened passage={passage} reading={reading} />}</RequestResult>
      )}
    </PageLayout>
  )
}

function Gone({ error }: { error: CallError }) {
  return (
    <div className="rounded-xl border border-line border-dashed p-8 text-center">
      <p className="font-medium">{visibleSentence(error.message)}</p>
      <p className="mt-1 mb-3 text-soft">{visibleText(error.remedy)}</p>
      <a href="/knowledge/search" onClick={followLink} className="text-cloud underline underline-offset-4">
        {knowledgeWords.searchAgain}
      </a>
    </div>
  )
}

interface Props {
  readonly passage: KnowledgePassage
  readonly reading: ReadRequest<CommandResult<'kb_passage'>>
}

function Opened({ passage, reading }: Props) {
  const { source_id, source_name, path, url, format, position, outdated } = passage
  const { headings, page, first_line, last_line } = position
  const place =
    page !== null ? knowledgeWords.page(page) : first_line === null ? null : knowledgeWords.lines(first_line, last_line ?? first_line)
  return (
    <>
      <dl className="mb-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1 text-sm">
        <Fact name={told.source}>
          <a href={sourceAddress(source_id)} onClick={followLink} className="text-cloud underline underline-offset-4">
            <bdi>{visibleName(source_name)}</bdi>
          </a>
        </Fact>
        {path !== null && (
          <Fact name={told.path}>
            <bdi className="break-all font-mono text-[13px]">{visibleName(path)}</bdi>
          </Fact>
        )}
        {url !== null && (
          <Fact name={told.url}>
            <PageLink url={url} />
          </Fact>
        )}
        <Fact name={told.format}>{knowledgeWords.formats[format]}</Fact>
        {place !== null && <Fact name={told.place}>{place}</Fact>}
        {headings.length > 0 && <Fact name={told.headings}>{headings.map(visibleName).join(' › ')}</Fact>}
      </dl>
      <OutdatedNotice key={source_id} source_id={source_id} isOutdated={outdated} onRead={reading.reload} />
      <PassageText passage={passage} />
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}

/** Other schemes than those of the web are not linked. */
function PageLink({ url }: { url: string }) {
  const shown = <bdi className="break-all">{visibleName(url)}</bdi>
  if (!/^https?:\/\//i.test(url)) return shown
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" className="text-cloud underline underline-offset-4">
      {shown}
    </a>
  )
}
