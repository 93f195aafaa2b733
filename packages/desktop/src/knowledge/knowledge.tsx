// The Knowledge page: the sources, a search to try, the files of a source, and a passage that a citation names.
import { useState } from 'react'
import { Button } from '../part/form/button.tsx'
import { PageLayout } from '../part/page-layout.tsx'
import { SectionTabs } from '../part/section-tabs.tsx'
import { knowledgeWords } from '../strings/knowledge.ts'
import { AddSource } from './add-source.tsx'
import { KnowledgeSearch } from './knowledge-search.tsx'
import { PassagePage } from './passage-page.tsx'
import { SourceList } from './source-list.tsx'
import { SourcePage } from './source-page.tsx'
import { useSources } from './use-sources.ts'

const sectionNames = ['sources', 'search'] as const
type SectionName = (typeof sectionNames)[number]

export default function Knowledge({ section = 'sources', id, run_id }: { section?: string; id?: string; run_id?: string }) {
  if (section === 'passages' && id !== undefined) return <PassagePage key={id} passage_id={id} run_id={run_id} />
  if (section === 'sources' && id !== undefined) return <SourcePage key={id} source_id={id} />
  return <Overview current={section === 'search' ? 'search' : 'sources'} />
}

function Overview({ current }: { current: SectionName }) {
  const sources = useSources()
  const [adding, setAdding] = useState<'closed' | 'open'>('closed')
  const done = () => {
    setAdding('closed')
    void sources.reload()
  }
  const add = current === 'sources' && (
    <Button aria-expanded={adding === 'open'} onClick={() => setAdding(adding === 'open' ? 'closed' : 'open')}>
      {knowledgeWords.add}
    </Button>
  )
  return (
    <PageLayout title={knowledgeWords.title} lead={knowledgeWords.lead} aside={add}>
      <SectionTabs
        label={knowledgeWords.sectionsLabel}
        names={sectionNames}
        current={current}
        nameOf={(name) => knowledgeWords.sections[name]}
        addressOf={(name) => (name === 'sources' ? '/knowledge' : `/knowledge/${name}`)}
      />
      {current === 'sources' && adding === 'open' && <AddSource onDone={done} />}
      {current === 'sources' ? <SourceList sources={sources} /> : <KnowledgeSearch sources={sources} />}
    </PageLayout>
  )
}
