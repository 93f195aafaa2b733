import { planting, type Remediation } from '../plan.ts'
import { call, edit, shell } from '../run.ts'
import { type Scene, say } from '../scene.ts'

const branches = ['fix/search', 'print-view', 'feature/labels', 'umlaute', 'map-tiles', 'wip/calendar']
const areas = ['list', 'header', 'export', 'login', 'calendar', 'map', 'price', 'search']
/** The same in the request and in the calls of a run. */
const area = (scene: Scene) => areas[Math.floor(scene.at / 1000) % areas.length] ?? ''

export const remediations: Remediation[] = [
  {
    key: 'force_with_lease',
    hosts: ['release', 'dependencies'],
    kind: 'edited_arguments',
    about: 'The person changes git push --force to git push --force-with-lease',
    gap: 'knowledge_gap',
    also: 'policy_gap',
    why: 'the call is wanted, in another form; a tool policy cannot change arguments',
    skill: null,
    runs: 7,
    requests: {
      en: [
        () => 'Rebase my branch on main and push it.',
        () => 'Squash the last three commits of this branch and update the remote.',
        () => 'My branch has conflicts with main. Straighten that out and upload it.',
      ],
      de: [
        () => 'Setz meinen Zweig auf main auf und lade ihn hoch.',
        () => 'Fass die Commits zusammen und bring den Zweig auf den Server.',
        () => 'Bitte den Zweig bereinigen, dann kann er geprüft werden.',
      ],
    },
    plant: (s) => {
      const branch = s.random.pick(branches)
      const pushed = shell(`git push --force-with-lease origin ${branch}`, ` + ${branch} -> ${branch} (forced update)`, 'edited')
      pushed.proposed = { command: `git push --force origin ${branch}` }
      return planting({
        calls: [shell('git rebase main', `Successfully rebased and updated refs/heads/${branch}.`), pushed],
        claim: say(s, `${branch} is pushed.`, `${branch} ist hochgeladen.`),
      })
    },
  },
  {
    key: 'data_not_deleted',
    hosts: ['backup', 'report'],
    kind: 'denied_call',
    about: 'The person denies every deletion below data/',
    gap: 'policy_gap',
    also: null,
    why: 'a call that should be blocked, or always asked about, in one folder (fs_scope, approval_mode)',
    skill: null,
    runs: 6,
    requests: {
      en: [
        () => 'The disk is nearly full. Find out what takes the space.',
        () => 'Clean up what nobody needs in this project.',
        () => 'Why is the checkout so large?',
      ],
      de: [() => 'Die Platte ist voll, schau bitte nach, warum.', () => 'Räum das Projekt ein wenig auf.', () => 'Was kann hier weg?'],
    },
    plant: (s) => {
      const path = `data/${s.random.pick(['2023', 'old-export', 'imports/raw', 'customers-copy.csv', 'tiles-cache', 'members.bak'])}`
      const refused = s.random.chance(0.7) ? call('fs.delete', { path }, 'denied', 'denied') : shell(`rm -r ${path}`, 'denied', 'denied')
      const reasons = say(
        s,
        'We keep everything in data/.|Not the data.|That is the only copy.',
        'In data/ wird nichts gelöscht.|Die Daten bleiben.|Davon gibt es keine Kopie.',
      )
      refused.reason = s.random.pick(reasons.split('|'))
      return planting({
        calls: [shell('du -sh * | sort -h | tail -n 5', `${s.random.int(2, 9)}.${s.random.int(1, 9)}G data`), refused],
        claim: say(s, 'I left it in place.', 'Ich habe es gelassen.'),
      })
    },
  },
  {
    key: 'staging_port',
    hosts: ['screenshots', 'release'],
    kind: 'corrected_agent',
    about: 'The agent takes 8080 for the port of the staging server; it is 8443',
    gap: 'knowledge_gap',
    also: null,
    why: 'a fact about the environment that the agent does not know',
    skill: null,
    runs: 6,
    requests: {
      en: [
        () => 'Is staging up?',
        () => 'Check whether the new header is on the staging server.',
        () => 'Does the test system answer in time?',
      ],
      de: [
        () => 'Läuft der Testserver?',
        () => 'Zeigt staging schon den neuen Stand?',
        () => 'Prüf bitte, ob die Testumgebung erreichbar ist.',
      ],
    },
    plant: (s) =>
      planting({
        calls: [
          call(
            'http.request',
            { method: 'GET', url: `http://staging.mara.example:8080/${s.random.pick(['', 'health', 'version'])}` },
            'connection refused',
            'failed',
          ),
        ],
        claim: say(s, 'Staging does not answer on port 8080.', 'Der Testserver antwortet auf Port 8080 nicht.'),
        correction: s.random.pick(
          s.language === 'de'
            ? ['Falscher Port, staging lauscht auf 8443.', 'Nein: 8443, nicht 8080.', 'Der Testserver hat den Port 8443.']
            : ['No, staging listens on 8443.', 'Wrong port. It is 8443 there.', 'You have to ask port 8443, not 8080.'],
        ),
        afterwards: [call('http.request', { method: 'GET', url: 'https://staging.mara.example:8443/health' }, '200 ok')],
      }),
  },
  {
    key: 'whole_repository_formatted',
    hosts: ['dependencies', 'release'],
    kind: 'restored_checkpoint',
    about: 'The person restores the files after the agent formatted the whole repository',
    gap: 'policy_gap',
    also: 'knowledge_gap',
    why: 'a command that changes every file should be asked about first (approval_mode)',
    skill: null,
    runs: 5,
    requests: {
      en: [
        (s) => `The indentation in src/${area(s)}.ts is off.`,
        () => 'Fix the one lint warning in the new file.',
        (s) => `Rename the helper in src/${area(s)}.ts.`,
      ],
      de: [
        (s) => `In src/${area(s)}.ts stimmt die Einrückung nicht.`,
        () => 'Behebe die Warnung in der neuen Datei.',
        (s) => `Ordne die Importe in src/${area(s)}.ts.`,
      ],
    },
    plant: (s) => {
      const format = shell(
        s.random.pick(['npx prettier --write .', 'npx prettier --write .', 'npx prettier . --write --log-level warn']),
        `${s.random.int(80, 400)} files changed`,
      )
      return planting({
        calls: [edit(`src/${area(s)}.ts`, '    return', '  return'), format],
        claim: say(s, 'Done, and everything is formatted now.', 'Erledigt, und alles ist jetzt formatiert.'),
        restoreTo: format,
        correction: s.random.pick(
          s.language === 'de'
            ? ['Nur die eine Datei.', 'So viele Änderungen kann niemand prüfen.', 'Bitte nicht alles umformatieren.']
            : ['Only that one file.', 'Nobody can review that many changes.', 'I did not ask you to reformat everything.'],
        ),
      })
    },
  },
  {
    key: 'spdx_header',
    hosts: ['dependencies', 'screenshots'],
    kind: 'edited_file',
    about: 'The person adds a license line to the top of each new source file',
    gap: 'skill_gap',
    also: 'knowledge_gap',
    why: 'a skill for it exists and is bound to no agent; a remembered sentence would do as well',
    skill: 'license-headers',
    runs: 6,
    requests: {
      en: [
        (s) => `Move the ${area(s)} code into a file of its own.`,
        (s) => `Add a small module that formats the ${area(s)}.`,
        () => 'Write a parser for the opening hours.',
      ],
      de: [
        (s) => `Zieh den Code für ${area(s)} in eine eigene Datei.`,
        () => 'Schreib ein Modul, das Öffnungszeiten liest.',
        () => 'Leg eine Datei mit den Farben an.',
      ],
    },
    plant: (s) => {
      const path = `src/${area(s)}-${s.random.pick(['format', 'parts', 'parser', 'view', 'rules'])}.ts`
      const first = `export function ${s.random.pick(['format', 'parse', 'render', 'total'])}(text: string) {`
      return planting({
        calls: [call('fs.write', { path, content: `${first}\n  return text.trim()\n}\n` }, 'written')],
        claim: say(s, `${path} is there.`, `${path} ist angelegt.`),
        editedFiles: [{ path, before: first, after: `// SPDX-License-Identifier: EUPL-1.2\n\n${first}` }],
      })
    },
  },
  {
    key: 'long_suite_stopped',
    hosts: ['dependencies', 'screenshots'],
    kind: 'canceled_run',
    about: 'The person cancels the run when the agent starts the whole end-to-end suite',
    gap: 'policy_gap',
    also: 'knowledge_gap',
    why: 'a command that takes far too long should have a limit or be asked about (time_limit, approval_mode)',
    skill: null,
    runs: 5,
    requests: {
      en: [
        (s) => `Change the label in the ${area(s)} and check that it works.`,
        () => 'Does the form still work after my last change?',
        () => 'Make the button a little wider.',
      ],
      de: [
        (s) => `Ändere die Beschriftung in ${area(s)} und prüf es kurz.`,
        () => 'Geht das Formular nach meiner Änderung noch?',
        () => 'Mach die Schaltfläche etwas breiter.',
      ],
    },
    plant: (s) => {
      const suite = shell('npm run test:e2e', 'canceled', 'failed')
      suite.duration_ms = s.random.int(400_000, 1_500_000)
      return planting({ calls: [edit(`src/${area(s)}.css`, 'width: 8rem', 'width: 10rem'), suite], canceled: true })
    },
  },
]
