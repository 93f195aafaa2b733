import { useCommand, useNewestEventNumber } from '../client/use-request.ts'

export const syncChanges = /^sync_state_changed$/

/** The signed-in account, read again whenever the sync state changes. */
export function useAccount() {
  const account = useCommand('account_show', {}, { version: useNewestEventNumber(syncChanges) })
  return { ...account, signedIn: account.state.state === 'ready' && account.state.value.account !== null }
}
