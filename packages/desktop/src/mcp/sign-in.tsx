// Signing in to a remote server: the hosts are shown first, and the user opens the page of the authorization server.
import type { ListedMcpServer, McpSignIn } from '@tandem/contract/command'
import type { FailureContract } from '@tandem/contract/failure'
import { needsSignIn, signInReasons } from '@tandem/contract/mcp'
import { useEffect, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { Panel, Section } from '../part/section.tsx'
import { mcpWords } from '../strings/mcp.ts'
import { visibleSentence } from '../text/sentence.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'

const told = mcpWords.signIn
/** A key that was refused may have been meant for a sign-in. */
const needed: readonly string[] = [...signInReasons, 'needs_authorization']

/** Null if the server has no sign-in and needs none. */
export function SignIn({ listed, again }: { listed: ListedMcpServer; again(): void }) {
  const { preview, status, consent_problem, sign_in } = listed
  if (preview.server.transport !== 'http' || consent_problem) return null
  const reason = status.failure_contract?.reason_code ?? ''
  if (!sign_in && !needed.includes(reason)) return null
  return (
    <Section title={told.title} lead={told.lead}>
      <Panel className="space-y-3 p-4">
        {needsSignIn(status) && status.failure_contract && <SignInNote failure={status.failure_contract} />}
        {sign_in && <SignedIn server_id={status.server_id} sign_in={sign_in} again={again} />}
        {(!sign_in || needed.includes(reason)) && <SignInForm server_id={status.server_id} isNeeded={needsSignIn(status)} again={again} />}
      </Panel>
    </Section>
  )
}

function SignInNote({ failure: { details } }: { failure: FailureContract }) {
  return (
    <p className="break-words text-sm">
      <span className="text-warn">{visibleSentence(details.message)}</span> {visibleText(details.remedy ?? '')}
    </p>
  )
}

function SignedIn({ server_id, sign_in, again }: { server_id: string; sign_in: NonNullable<ListedMcpServer['sign_in']>; again(): void }) {
  const client = useRuntimeClient()
  const signOut = async () => {
    await client.call(mcpWords.doing.signOut, 'mcp_server_sign_out', { server_id })
    again()
  }
  return (
    <p className="flex flex-wrap items-center justify-between gap-3 text-sm">
      <span className="break-words text-good">{told.signedIn(visibleText(hostOf(sign_in.issuer)), formatTime(sign_in.signed_in_at))}</span>
      <Button onClick={signOut}>{told.signOut}</Button>
    </p>
  )
}

function SignInForm({ server_id, isNeeded, again }: { server_id: string; isNeeded: boolean; again(): void }) {
  const client = useRuntimeClient()
  const form = useForm({ doing: mcpWords.doing.signIn })
  const [begun, setBegun] = useState<McpSignIn | null>(null)
  const [problem, setProblem] = useState('')
  const [id, setId] = useState('')
  const [secret, setSecret] = useState('')
  const begin = async () => {
    setProblem('')
    const own = { ...(id.trim() === '' ? {} : { client_id: id.trim() }), ...(secret === '' ? {} : { client_secret: secret }) }
    const answer = await form.send(() => client.channel.call('mcp_server_sign_in', { server_id, ...own }))
    setBegun(answer.ok ? answer.value.sign_in : null)
  }
  const cancel = async () => {
    if (!begun) return
    // It may have ended in the meantime, then there is nothing to cancel.
    await client.channel.call('mcp_server_cancel_sign_in', { sign_in_id: begun.sign_in_id })
    setBegun(null)
    again()
  }
  useEffect(() => {
    if (!begun) return
    let isOver = false
    const follow = async () => {
      while (!isOver) {
        const answer = await client.channel.call('mcp_server_wait_sign_in', { sign_in_id: begun.sign_in_id })
        if (isOver || (answer.ok && answer.value.state === 'waiting')) continue
        setBegun(null)
        if (!answer.ok && answer.error.code !== 'canceled') setProblem(answer.error.message)
        again()
        return
      }
    }
    void follow()
    return () => {
      isOver = true
    }
  }, [begun, client, again])
  if (begun) return <Begun sign_in={begun} onCancel={cancel} />
  return (
    <Form form={form} onSubmit={begin} className="space-y-3">
      <p role="alert" className="break-words text-bad text-sm empty:hidden">
        {problem && visibleSentence(problem)}
      </p>
      <details>
        <summary className="details-summary w-fit rounded text-soft text-sm">{told.client}</summary>
        <div className="mt-3 grid gap-4 sm:grid-cols-2">
          <TextField label={told.clientId} hint={told.clientHint} field="client_id" value={id} onChange={setId} mono />
          <TextField
            label={told.clientSecret}
            hint={told.clientHint}
            field="client_secret"
            type="password"
            value={secret}
            onChange={setSecret}
          />
        </div>
      </details>
      <FormActions>
        <PrimaryButton type="submit" disabled={form.isBusy}>
          {form.isBusy ? told.preparing : told.begin}
        </PrimaryButton>
        {isNeeded && <Badge tone="warn">{mcpWords.needsSignIn}</Badge>}
      </FormActions>
    </Form>
  )
}

function Begun({ sign_in: { issuer, hosts, scope, authorization_url }, onCancel }: { sign_in: McpSignIn; onCancel(): void }) {
  const host = hostOf(issuer)
  const others = hosts.filter((each) => each !== host)
  return (
    <div className="space-y-3">
      <p className="break-words">{told.asks(visibleText(host))}</p>
      {others.length > 0 && <p className="break-words text-sm">{told.others(others.map(visibleText).join(', '))}</p>}
      <p className="break-words text-sm text-soft">{scope === null ? told.noScope : told.scope(visibleText(scope))}</p>
      <div className="flex flex-wrap items-center gap-3">
        <a href={authorization_url} target="_blank" rel="noreferrer noopener" className="text-cloud underline underline-offset-4">
          {told.open(visibleText(host))}
        </a>
        <Button onClick={onCancel}>{told.cancel}</Button>
        <span role="status" className="text-faint text-sm">
          {told.waiting}
        </span>
      </div>
    </div>
  )
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address
}
