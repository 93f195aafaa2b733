// The files of a source that cannot be found, or only in part, grouped by reason.
import type { DocumentRow } from '@tandem/contract/knowledge'
import { usePages } from '../client/use-pages.ts'
import { Fold } from '../part/fold.tsx'
import { Button } from '../part/form/button.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { knowledgeWords } from '../strings/knowledge.ts'
import { visibleName } from '../text/name.ts'
import { visibleSentence } from '../text/sentence.ts'
import { byProblem } from './by-problem.ts'

const pageSize = 50

export function LeftOutFiles({ source_id, version }: { source_id: string; version: string }) {
  const pages = usePages('kb_list_files', { source_id, only_problems: true }, { size: pageSize, version })
  const { state: asked } = pages
  if (asked.state === 'ready' && asked.value.items.length === 0) return null
  return (
    <Section title={knowledgeWords.leftOutTitle} lead={knowledgeWords.leftOutLead}>
      <RequestResult reading={pages}>
        {({ items, hasMore }) => (
          <>
            <Panel>
              {byProblem(items).map(({ problem, files }) => (
                <Fold
                  key={problem}
                  summary={
                    <>
                      <p className="font-medium">
                        {knowledgeWords.problems[problem]}{' '}
                        <span className="font-normal text-faint">{knowledgeWords.files(files.length)}</span>
                      </p>
                      {problem !== 'in_part' && (
                        <p className="text-soft text-sm">
                          {knowledgeWords.problemTexts[problem].message} {knowledgeWords.problemTexts[problem].remedy}
                        </p>
                      )}
                    </>
                  }
                >
                  {() => <Names files={files} />}
                </Fold>
              ))}
            </Panel>
            {hasMore && (
              <p className="mt-3 flex flex-wrap items-center gap-3 text-faint text-sm">
                {knowledgeWords.filesShown(items.length, true)}
                <Button onClick={pages.more}>{knowledgeWords.more}</Button>
              </p>
            )}
          </>
        )}
      </RequestResult>
    </Section>
  )
}

function Names({ files }: { files: readonly DocumentRow[] }) {
  return (
    <ul className="space-y-1 text-sm">
      {files.map(({ document_id, name, detail }) => (
        <li key={`${document_id} ${name}`}>
          <bdi className="break-all font-mono text-[13px]">{visibleName(name)}</bdi>
          {detail !== null && <span className="block break-words text-faint">{visibleSentence(detail)}</span>}
        </li>
      ))}
    </ul>
  )
}
