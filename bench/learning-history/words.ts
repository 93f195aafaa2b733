// Names that vary from run to run. The halves share none of their users, projects, packages and branches.
import type { Half } from './run.ts'

interface Words {
  readonly users: readonly string[]
  readonly projects: readonly string[]
  readonly nodePackages: readonly string[]
  readonly pythonPackages: readonly string[]
  readonly branches: readonly string[]
  readonly files: readonly string[]
}

export const words: Readonly<Record<Half, Words>> = {
  tuning: {
    users: ['ada', 'jonas', 'mira', 'tobias', 'lena.k', 'sam'],
    projects: ['invoice-api', 'harbor', 'price-list', 'ledger', 'weatherbox', 'shop-backend', 'kartei', 'notenbuch', 'tide', 'parcel-desk'],
    nodePackages: ['express', 'dayjs', 'lodash', 'chalk', 'commander', 'nanoid', '@acme/money', 'semver', 'papaparse', 'zod'],
    pythonPackages: ['requests', 'flask', 'pandas', 'pydantic', 'tabulate', 'openpyxl', 'dateutil', 'jinja2', 'click', 'httpx'],
    branches: ['feature/export', 'fix-rounding', 'release-2.4', 'mira/login', 'umbau-rechnung', 'dark-mode'],
    files: ['index', 'server', 'report', 'rechnung', 'orders', 'format', 'export', 'import_data', 'kunden', 'summary'],
  },
  'held-out': {
    users: ['grace', 'emil', 'yusuf', 'paula-m', 'noor', 'henrik'],
    projects: [
      'seat-map',
      'bibliothek',
      'fleet',
      'recipe-card',
      'messwerte',
      'gate-log',
      'vereinskasse',
      'orbit',
      'timesheet',
      'gartenplan',
    ],
    nodePackages: ['fastify', 'luxon', 'ramda', 'kleur', 'yargs', 'uuid', '@nord/geo', 'mime-types', 'csv-parse', 'ajv'],
    pythonPackages: ['aiohttp', 'django', 'numpy', 'attrs', 'rich', 'sqlalchemy', 'pendulum', 'lxml', 'typer', 'marshmallow'],
    branches: ['feat/seat-picker', 'bugfix/tz', 'hotfix-1.9.3', 'emil/refactor', 'suche-beschleunigen', 'next'],
    files: ['main', 'gateway', 'digest', 'buchung', 'sensors', 'layout', 'planner', 'load_rows', 'mitglieder', 'overview'],
  },
}
