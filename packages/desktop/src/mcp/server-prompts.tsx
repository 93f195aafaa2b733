import { useState } from 'react'
import { useCompleteList } from '../client/use-request.ts'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { mcpWords } from '../strings/mcp.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'
import { OfferList } from './offer-list.tsx'
import { ServerContents, useServerContent } from './server-content.tsx'
import { type OfferedPrompt, promptOf } from './server-offers.ts'

const told = mcpWords.prompts

/** The prompts of a server, with fields to fill in. */
export function ServerPrompts({ server_id }: { server_id: string }) {
  const prompts = useCompleteList('mcp_prompt_list', { server_id })
  return (
    <OfferList
      words={told}
      reading={prompts}
      keyOf={({ name }) => name}
      line={(item) => <Line prompt={promptOf(item)} />}
      details={(item) => <Details server_id={server_id} prompt={promptOf(item)} />}
    />
  )
}

function Line({ prompt: { name, title } }: { prompt: OfferedPrompt }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
      <code className="break-all">{visibleName(name)}</code>
      {title !== '' && <bdi className="min-w-0 break-words text-soft">{visibleName(title)}</bdi>}
    </span>
  )
}

function Details({ server_id, prompt: { name, description, values } }: { server_id: string; prompt: OfferedPrompt }) {
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map())
  const given = [...typed].map(([of, value]) => ({ name: of, value })).filter(({ value }) => value !== '')
  const filled = useServerContent(mcpWords.doing.prompt, 'mcp_prompt_get', { server_id, name, values: given })
  const isMissing = values.some((one) => one.isRequired && !typed.get(one.name))
  return (
    <Form form={filled.form} onSubmit={filled.fetch} className="space-y-3">
      {description !== '' && (
        <p dir="auto" className="whitespace-pre-wrap break-words">
          {visibleText(description)}
        </p>
      )}
      {values.map((one) => (
        <TextField
          key={one.name}
          field={`values[${given.findIndex(({ name: of }) => of === one.name)}]`}
          label={`${visibleName(one.name)}${one.isRequired ? '' : ` (${told.optional})`}`}
          hint={visibleName(one.description)}
          value={typed.get(one.name) ?? ''}
          onChange={(value) => setTyped(new Map(typed).set(one.name, value))}
        />
      ))}
      <FormActions>
        <PrimaryButton type="submit" disabled={filled.form.isBusy || isMissing}>
          {told.fill}
        </PrimaryButton>
      </FormActions>
      <ServerContents pieces={filled.pieces} />
    </Form>
  )
}
