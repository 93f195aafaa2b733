// The support bundle: shown completely first, then written if the user wants it.
import type { CommandResult, SupportBundle } from '@tandem/contract/command'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Fold } from '../part/fold.tsx'
import { Button } from '../part/form/button.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { Panel, Section } from '../part/section.tsx'
import { JsonTree } from '../result/json-tree.tsx'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { CopyJson } from './copy-json.tsx'

const told = words.diagnosticsCenter

export function Support() {
  const client = useRuntimeClient()
  const [made, setMade] = useState<CommandResult<'runtime_make_support_bundle'> | null>(null)
  const [busy, setBusy] = useState(false)
  const make = async (action: 'preview' | 'write') => {
    setBusy(true)
    const answer = await client.call(words.doing.support, 'runtime_make_support_bundle', { action })
    setBusy(false)
    if (answer.ok) setMade(answer.value)
  }
  return (
    <Section title={told.support} lead={told.supportLead}>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Button onClick={() => make('preview')} disabled={busy}>
          {made ? told.lookAgain : told.look}
        </Button>
        {made && (
          <PrimaryButton onClick={() => make('write')} disabled={busy}>
            {told.write}
          </PrimaryButton>
        )}
        {made && <CopyJson value={made.bundle} />}
      </div>
      <p role="status" className="mb-3 break-all text-good">
        {made?.file && `${told.written} ${visibleText(made.file)}`}
      </p>
      {made && <Contents bundle={made.bundle} />}
    </Section>
  )
}

function Contents({ bundle }: { bundle: SupportBundle }) {
  return (
    <Panel className="overflow-hidden">
      {Object.entries(bundle).map(([name, value]) => (
        <Fold
          key={name}
          summary={
            <span className="flex flex-wrap justify-between gap-x-3">
              {told.bundle[name as keyof SupportBundle]}
              <span className="text-faint text-sm">{Array.isArray(value) ? told.entries(value.length) : ''}</span>
            </span>
          }
        >
          {() => <JsonTree value={value} />}
        </Fold>
      ))}
    </Panel>
  )
}
