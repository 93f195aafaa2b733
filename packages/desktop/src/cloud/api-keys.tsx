// The API keys of the account: what each is for and when it was last used. A new key is shown once.
import type { ApiKey, NewApiKey } from '@tandem/contract/auth'
import type { CommandResult } from '@tandem/contract/command'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import type { ReadRequest } from '../client/use-request.ts'
import { Badge } from '../part/badge.tsx'
import { CopyButton } from '../part/copy-button.tsx'
import { Button } from '../part/form/button.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { LoadMore } from '../part/load-more.tsx'
import { EmptyState } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { words } from '../strings/window.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { CreateKey } from './create-key.tsx'

export function ApiKeys({ reading }: { reading: ReadRequest<CommandResult<'account_key_list'>> }) {
  const client = useRuntimeClient()
  const [creating, setCreating] = useState(false)
  const [created, setCreated] = useState<NewApiKey | null>(null)
  const [said, setSaid] = useState('')
  const opener = useRef<HTMLButtonElement>(null)
  const start = () => {
    setSaid('')
    setCreating(true)
  }
  const close = (made: NewApiKey | null) => {
    setCreating(false)
    setCreated(made)
    if (made) void reading.reload()
    else opener.current?.focus()
  }
  const revoke = async ({ id, name }: ApiKey) => {
    const answer = await client.call(words.cloudDoing.key, 'account_key_revoke', { key_id: id })
    if (answer.ok) setSaid(words.account.revoked(visibleText(name)))
    await reading.reload()
    opener.current?.focus()
  }
  return (
    <Section
      title={words.account.keys}
      lead={words.account.keysLead}
      aside={
        <Button ref={opener} aria-expanded={creating} onClick={start}>
          {words.account.newKey}
        </Button>
      }
    >
      <p role="status" className={said === '' ? 'sr-only' : 'mb-3 break-words text-good'}>
        {said}
      </p>
      {creating && <CreateKey onClose={close} />}
      {created && <ShownOnce created={created} onDone={() => close(null)} />}
      <RequestResult reading={reading}>
        {(list) =>
          list.items.length === 0 ? (
            <EmptyState>{words.account.noKeys}</EmptyState>
          ) : (
            <>
              <Panel className="overflow-hidden">
                <ul className="divide-y divide-line">
                  {list.items.map((key) => (
                    <KeyLine key={key.id} apiKey={key} onRevoke={() => revoke(key)} />
                  ))}
                </ul>
              </Panel>
              <LoadMore list={list} />
            </>
          )
        }
      </RequestResult>
    </Section>
  )
}

function ShownOnce({ created: { key, api_key }, onDone }: { created: NewApiKey; onDone(): void }) {
  const id = useId()
  const panel = useRef<HTMLElement>(null)
  useLayoutEffect(() => panel.current?.focus(), [])
  return (
    <section ref={panel} tabIndex={-1} aria-labelledby={id} className="mb-4 rounded-xl border border-line bg-good-soft p-4">
      <h3 id={id} className="break-words font-medium">
        {words.account.created(visibleText(api_key.name))}
      </h3>
      <p className="mt-1">{words.account.once}</p>
      <div className="my-3 flex items-start gap-2">
        <code className="min-w-0 grow rounded-md bg-surface px-3 py-2 font-mono text-[13px]">{key}</code>
        <CopyButton text={key} label={words.account.copyKey} />
      </div>
      <PrimaryButton onClick={onDone}>{words.account.done}</PrimaryButton>
    </section>
  )
}

function KeyLine({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke(): Promise<void> }) {
  const [asking, setAsking] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const name = visibleText(apiKey.name)
  const used = apiKey.last_used_at === null ? words.account.unused : words.account.used(formatTime(apiKey.last_used_at))
  const cancel = () => {
    setAsking(false)
    opener.current?.focus()
  }
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 grow basis-40">
          <bdi className="block truncate font-medium">{name}</bdi>
          <span className="block text-faint text-sm">
            {words.account.endsWith(apiKey.ends_with)} · {used}
          </span>
        </span>
        <span className="flex gap-1">
          {apiKey.scopes.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
        </span>
        <Button ref={opener} onClick={() => setAsking(true)} aria-label={`${words.account.revoke} ${name}`}>
          {words.account.revoke}
        </Button>
      </div>
      {asking && (
        <div role="alertdialog" aria-label={words.account.revokeSure(name)} className="mt-2 rounded-md bg-warn-soft px-3 py-2">
          <p className="mb-2 break-words text-warn">{words.account.revokeSure(name)}</p>
          <div className="flex gap-2">
            <PrimaryButton autoFocus onClick={onRevoke}>
              {words.account.revokeYes}
            </PrimaryButton>
            <Button onClick={cancel}>{words.cancel}</Button>
          </div>
        </div>
      )}
    </li>
  )
}
