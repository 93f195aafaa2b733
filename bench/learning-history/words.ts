// Names that vary from run to run. The parts share none of their users, projects, packages and branches.
import type { Part } from './run.ts'

interface Words {
  readonly users: readonly string[]
  readonly projects: readonly string[]
  readonly nodePackages: readonly string[]
  readonly pythonPackages: readonly string[]
  readonly branches: readonly string[]
  readonly files: readonly string[]
}

export const words: Readonly<Record<Part, Words>> = {
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
  third: {
    users: ['ines', 'marek', 'bao', 'frieda', 'o.lund', 'kofi'],
    projects: [
      'till-sync',
      'wanderkarte',
      'quota',
      'print-queue',
      'archivbox',
      'stromzaehler',
      'course-hub',
      'lagerbestand',
      'beacon',
      'mail-relay',
    ],
    nodePackages: ['pino', 'dotenv', 'undici', 'execa', 'date-fns', 'eventsource', '@halde/forms', 'fast-glob', 'immer', 'got'],
    pythonPackages: ['fastapi', 'boto3', 'scipy', 'redis', 'tqdm', 'psycopg', 'arrow', 'bs4', 'loguru', 'websockets'],
    branches: ['topic/quota-alerts', 'fix/null-total', 'support-3.1', 'bao/spike', 'druckvorlage', 'v2-prep'],
    files: ['client', 'ingest', 'tally', 'zaehler', 'routes', 'reader', 'sync_jobs', 'bestand', 'notices', 'catalog'],
  },
  fourth: {
    users: ['nadia', 'felix', 'priya', 'carla.w', 'dmitri', 'anke'],
    projects: [
      'checkout-web',
      'dienstplan',
      'menu-board',
      'kundenportal',
      'ride-share',
      'bookings',
      'newsletter',
      'zeiterfassung',
      'crm-sync',
      'fotoalbum',
    ],
    nodePackages: ['axios', 'react', 'cors', 'jsonwebtoken', 'socket.io', 'bcryptjs', '@brise/ui', 'prisma', 'vue', 'winston'],
    pythonPackages: ['matplotlib', 'celery', 'sklearn', 'stripe', 'dotenv', 'sentry_sdk', 'pymongo', 'torch', 'nltk', 'paramiko'],
    branches: ['feature/checkout', 'fix/login-redirect', 'release/5.2', 'priya/cart', 'bugfix-dienstplan', 'develop'],
    files: ['cart', 'users', 'auth', 'payments', 'schichten', 'mailer', 'invoices', 'search', 'kalender', 'upload'],
  },
}
