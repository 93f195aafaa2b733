// The price of a model, entered by the user.
import { useState } from 'react'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { ModelField } from '../part/model-picker.tsx'
import { Panel } from '../part/section.tsx'
import { modelWords } from '../strings/models.ts'
import { words } from '../strings/window.ts'

export function PriceForm({ onSaved }: { onSaved(): Promise<void> }) {
  const client = useRuntimeClient()
  const form = useForm({ doing: modelWords.doing.price })
  const standard = useWindowState((state) => state.status?.model.default_model ?? '')
  const [typed, setModel] = useState<string | null>(null)
  const [draft, setDraft] = useState({ input: '', cached: '', output: '' })
  const model = (typed ?? standard).trim()
  const set = async (price: { input: number; cached_input: number | null; output: number } | null) => {
    const answer = await form.send(
      () => client.channel.call('model_set_price', { model, price }),
      price === null ? modelWords.priceRemoved : words.saved,
    )
    if (answer.ok) await onSaved()
  }
  const save = () => {
    const wrong = [['price.input', draft.input] as const, ['price.output', draft.output] as const].filter(
      ([, text]) => text.trim() === '' || Number.isNaN(Number(text)),
    )
    if (wrong.length > 0) {
      const fields = wrong.map(([field]) => ({ field, message: modelWords.noNumber }))
      return form.refuse({ code: 'invalid_params', message: '', remedy: '', fields })
    }
    const cached_input = draft.cached.trim() === '' ? null : Number(draft.cached)
    void set({ input: Number(draft.input), cached_input, output: Number(draft.output) })
  }
  return (
    <Panel className="p-4">
      <h3 className="mb-1 font-medium">{modelWords.priceTitle}</h3>
      <p className="mb-3 text-faint text-sm">{modelWords.priceLead}</p>
      <Form form={form} onSubmit={save} className="grid max-w-xl gap-4">
        <ModelField label={modelWords.priceModel} field="model" value={typed ?? standard} onChange={setModel} />
        <div className="grid gap-4 sm:grid-cols-3">
          <TextField
            label={modelWords.input}
            field="price.input"
            type="number"
            value={draft.input}
            onChange={(input) => setDraft({ ...draft, input })}
            mono
          />
          <TextField
            label={modelWords.cached}
            field="price.cached_input"
            type="number"
            value={draft.cached}
            onChange={(cached) => setDraft({ ...draft, cached })}
            hint={modelWords.cachedHint}
            mono
          />
          <TextField
            label={modelWords.output}
            field="price.output"
            type="number"
            value={draft.output}
            onChange={(output) => setDraft({ ...draft, output })}
            mono
          />
        </div>
        <FormActions>
          <PrimaryButton type="submit">{modelWords.savePrice}</PrimaryButton>
          <Button onClick={() => void set(null)}>{modelWords.removePrice}</Button>
        </FormActions>
      </Form>
    </Panel>
  )
}
