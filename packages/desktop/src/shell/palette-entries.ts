// The entries of the palette: pages, settings, frequent actions, and conversations.
import { isTerminalRunState } from '@tandem/contract/run'
import { conversationAddress, evolutionAddress, goTo, pageOf, teamAddress, useAddress } from '../address.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { isOnOtherDevice } from '../store/open-run.ts'
import { firstConversation, firstRuns } from '../store/team.ts'
import { evolutionWords } from '../strings/evolution.ts'
import { navigationWords } from '../strings/navigation.ts'
import { teamWords } from '../strings/team.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { applyTheme, storeTheme, type Theme } from '../theme.ts'
import { useSample } from '../tour/use-sample.ts'
import { pageNames } from './pages.ts'
import { settingAddress, settingEntries } from './setting-entries.ts'

export interface Entry {
  readonly id: string
  readonly name: string
  readonly hint: string
  /** Other words by which it is found. */
  readonly synonyms?: string
  /** Listed only if it is searched for. */
  readonly onlyIfSearched?: boolean
  run(): void
}

const themes: readonly Theme[] = ['light', 'dark', 'system']

export function useEntries(): readonly Entry[] {
  const client = useRuntimeClient()
  const path = pageOf(useAddress())
  const { begin } = useSample()
  const conversations = useWindowState((state) => state.conversations)
  const runs = useWindowState((state) => state.runs)
  const waiting = useWindowState((state) => [...state.approvals, ...state.questions][0]?.run_id)
  const approval = useWindowState((state) => state.approvals[0]?.approval)
  const status = useWindowState((state) => state.status)
  const under = [...runs.values()].filter((run) => !isTerminalRunState(run.state) && !isOnOtherDevice({ status }, run))
  const teams = useWindowState((state) => state.teams)
  const waits = waiting === undefined ? undefined : (firstConversation({ teams }, waiting) ?? runs.get(waiting)?.conversation_id)
  const act = (id: string, name: string, run: () => void, hint = ''): Entry => ({ id, name, hint, run })
  return [
    act('new', words.palette.new, () => goTo('/')),
    ...(waits === undefined
      ? []
      : [act('waits', words.palette.waits, () => goTo(`/c/${waits}`), approval ? words.approval.title(approval) : '')]),
    ...pageNames.map((place) => act(place, words.palette.go(words.places[place]), () => goTo(`/${place}`))),
    act('evolution', words.palette.go(evolutionWords.title), () => goTo(evolutionAddress())),
    ...under.map(({ run_id, conversation_id, title }) => ({
      ...act(
        `stop:${run_id}`,
        words.palette.stop(visibleText(conversations?.get(conversation_id)?.title ?? title)),
        () => void client.call(words.doing.stop, 'agent_run_cancel', { run_id }),
      ),
      onlyIfSearched: path !== conversationAddress(conversation_id),
    })),
    ...firstRuns({ runs, teams })
      .filter(({ state }) => !isTerminalRunState(state))
      .map(({ run_id, title }) => act(`team:${run_id}`, teamWords.open, () => goTo(teamAddress(run_id)), visibleText(title))),
    ...themes.map((theme) =>
      act(`theme:${theme}`, words.palette.themeIs(words.settings.themes[theme]), () => {
        storeTheme(theme)
        applyTheme(theme)
      }),
    ),
    act('sync', words.palette.sync, () => void client.call(words.cloudDoing.sync, 'sync_now', {})),
    act('sandbox', words.palette.sandbox, () => {
      void client.refreshStatus()
      goTo('/diagnostics')
    }),
    act('support', words.palette.support, () => goTo('/diagnostics')),
    act('sample', words.tour.tryIt, () => void begin()),
    act('tour', words.palette.tour, () => {
      void client
        .call(words.doing.settings, 'runtime_set_settings', { tour: 'ahead' })
        .then(() => client.refreshLists())
        .then(() => goTo('/'))
    }),
    act('reload', words.palette.reload, () => location.reload()),
    // After the actions: what does something at once comes first.
    ...Object.entries(settingEntries).map(([field, { name, synonyms }]) => ({
      ...act(`setting:${field}`, name, () => goTo(settingAddress(field)), navigationWords.settings.hint),
      synonyms,
    })),
    ...[...(conversations?.values() ?? [])].map(({ conversation_id, title }) =>
      act(conversation_id, visibleText(title), () => goTo(`/c/${conversation_id}`), words.places.chat),
    ),
  ]
}
