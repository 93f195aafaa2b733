import { detailCardKinds, interactiveCardKinds } from '@tandem/contract/card'
import { useState } from 'react'
import { PageHeading } from '../../part/page-heading.tsx'
import { Panel, Section } from '../../part/section.tsx'
import { strings } from '../../strings/map.ts'
import { Demo } from './demo.tsx'

export default function Cards() {
  const [card, setCard] = useState(0)
  return (
    <>
      <PageHeading {...strings.pages.cards} />
      <Section title={strings.cards.demo}>
        <Demo key={card} onFresh={() => setCard(card + 1)} />
      </Section>
      <div className="grid gap-5 lg:grid-cols-2">
        <Kinds title={strings.cards.kinds_detail} kinds={detailCardKinds} />
        <Kinds title={strings.cards.kinds_interactive} kinds={interactiveCardKinds} />
      </div>
    </>
  )
}

function Kinds({ title, kinds }: { title: string; kinds: readonly string[] }) {
  return (
    <Panel className="p-5">
      <h2 className="mb-3 font-medium">{title}</h2>
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {kinds.map((kind) => (
          <li key={kind}>
            <code>{kind}</code>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
