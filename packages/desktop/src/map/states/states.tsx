import { useState } from 'react'
import { Choice } from '../../part/choice.tsx'
import { PageHeading } from '../../part/page-heading.tsx'
import { Section } from '../../part/section.tsx'
import { strings } from '../../strings/map.ts'
import { Matrix } from './matrix.tsx'
import { tables } from './tables.ts'
import { Walk } from './walk.tsx'

const nouns = tables.map((table) => table.noun)

export default function States() {
  const [noun, setNoun] = useState(nouns[0] ?? '')
  const table = tables.find((one) => one.noun === noun)
  return (
    <>
      <PageHeading {...strings.pages.states} />
      <div className="mb-8">
        <Choice label={strings.states.things} values={nouns} value={noun} onChange={setNoun} />
      </div>
      {table && (
        <>
          <Walk key={noun} table={table} />
          <Section title={strings.states.whole} lead={strings.states.whole_lead}>
            <Matrix table={table} />
          </Section>
        </>
      )}
    </>
  )
}
