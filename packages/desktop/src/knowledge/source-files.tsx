// All files of a source, page by page.
import type { DocumentRow } from '@tandem/contract/knowledge'
import { usePages } from '../client/use-pages.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { EmptyState } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { knowledgeWords } from '../strings/knowledge.ts'
import { formatBytes } from '../text/bytes.ts'
import { visibleName } from '../text/name.ts'
import { problemOf } from './by-problem.ts'

const pageSize = 50

export function SourceFiles({ source_id, version }: { source_id: string; version: string }) {
  const pages = usePages('kb_list_files', { source_id }, { size: pageSize, version })
  return (
    <Section title={knowledgeWords.filesTitle}>
      <RequestResult reading={pages}>
        {({ items, hasMore }) =>
          items.length === 0 ? (
            <EmptyState>{knowledgeWords.noFiles}</EmptyState>
          ) : (
            <>
              <p role="status" className="mb-2 text-faint text-sm">
                {knowledgeWords.filesShown(items.length, hasMore)}
              </p>
              <Panel>
                <ul className="divide-y divide-line">
                  {items.map((file) => (
                    <li key={`${file.document_id} ${file.name}`} className="px-4 py-2">
                      <FileLine file={file} />
                    </li>
                  ))}
                </ul>
              </Panel>
              {hasMore && (
                <Button className="mt-4" onClick={pages.more}>
                  {knowledgeWords.more}
                </Button>
              )}
            </>
          )
        }
      </RequestResult>
    </Section>
  )
}

function FileLine({ file }: { file: DocumentRow }) {
  const { name, format, bytes, passages } = file
  const problem = problemOf(file)
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
      <bdi className="min-w-0 break-all font-mono text-[13px]">{visibleName(name)}</bdi>
      <span className="text-faint text-sm">
        {format === null ? knowledgeWords.unknownFormat : knowledgeWords.formats[format]} · {formatBytes(bytes)} ·{' '}
        {knowledgeWords.passages(passages)}
        {problem !== null && (
          <Badge tone="warn" className="ml-2">
            {knowledgeWords.problems[problem]}
          </Badge>
        )}
      </span>
    </div>
  )
}
