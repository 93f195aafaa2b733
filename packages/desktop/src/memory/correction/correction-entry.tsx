// A correction without a message at hand: the memory that is wrong is found by what the user writes.
import { useState } from 'react'
import { Button } from '../../part/form/button.tsx'
import { TextField } from '../../part/form/text-field.tsx'
import { usePause } from '../../part/use-pause.ts'
import { memoryWords } from '../../strings/memory.ts'
import { words } from '../../strings/window.ts'
import { MemoryDialog } from '../memory-dialog.tsx'
import { Candidates, useCandidates } from './candidates.tsx'
import { CorrectionForm } from './correction-form.tsx'

const told = memoryWords.correction

export function CorrectionEntry({ agent_id }: { agent_id: string }) {
  const [state, setState] = useState<'closed' | 'open'>('closed')
  return (
    <>
      <Button onClick={() => setState('open')}>{told.begin}</Button>
      {state === 'open' && (
        <MemoryDialog title={told.title} lead={told.lead} onClose={() => setState('closed')}>
          {(close) => <WrittenCorrection agent_id={agent_id} onClose={close} />}
        </MemoryDialog>
      )}
    </>
  )
}

function WrittenCorrection({ agent_id, onClose }: { agent_id: string; onClose(): void }) {
  const [wrong, setWrong] = useState('')
  const [chosen, setChosen] = useState('')
  const text = usePause(wrong)
  const found = useCandidates({ agent_id }, text)
  const corrected = found.state.state === 'ready' ? found.state.value.find(({ id }) => id === chosen) : undefined
  return (
    <CorrectionForm at={{ agent_id }} corrected={corrected} wrong={wrong} cancel={words.cancel} onCancel={onClose} onClose={onClose}>
      <TextField label={told.wrong} field="wrong" value={wrong} onChange={setWrong} rows={2} autoFocus />
      {text !== '' && <Candidates found={found} value={corrected?.id ?? ''} onChange={setChosen} />}
    </CorrectionForm>
  )
}
