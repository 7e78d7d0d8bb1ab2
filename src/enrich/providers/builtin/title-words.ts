import type { Department, Seniority } from '../../../domain/enrichment/vocabulary.ts';

/**
 * Words of job titles in English, German, French and Spanish, without accents and in lower case. The first row that
 * matches decides, so exceptions stand before what they are exceptions of.
 */
export const seniorityWords: readonly (readonly [RegExp, Seniority])[] = [
  [
    words(
      '(?:assistant|assistante|assistent|assistentin|assistenz|asistente|secretary|sekretarin|secretaire|secretaria|pa|ea) (?:to|of|for|des|der|de|du|del|de la)',
    ),
    'entry',
  ],
  [
    words('(?:executive|personal|administrative|management|team) assistant|assistant(?:e)? de direction'),
    'entry',
  ],
  [
    words(
      'intern|internship|trainee|werkstudent(?:in)?|working student|student(?:in)?|praktikant(?:in)?|stagiaire|becari[oa]|practicante|alternante?|azubi|auszubildende[rn]?|apprentice|apprentie?|estudiante',
    ),
    'intern',
  ],
  [
    words(
      '(?:co ?)?founder|(?:co ?)?founding \\w+|(?:mit)?gru(?:e)?nder(?:in)?|(?:co ?)?fondat(?:eur|rice)|(?:co ?)?fundador[a]?',
    ),
    'founder',
  ],
  [/\b(?:product|process|system|service|data|risk) owner\b/, 'unknown'],
  [
    words(
      'owner|inhaber(?:in)?|eigentu(?:e)?mer(?:in)?|proprietaire|proprietor|propietari[oa]|duen[oa]|freelancer?|freiberufler(?:in)?|self employed|selbststa(?:e)?ndige?r?|independant|autonom[oa]',
    ),
    'owner',
  ],
  [
    words('vice ?president[e]?|[se]?vp|avp|vize ?pra(?:e)?sident(?:in)?|vicepresidenta|vice presidenta'),
    'vp',
  ],
  [
    words(
      'chief (?:\\w+ ){1,3}officer|c[etfomidprs]o|cmo|ciso|chro|cpto|president(?:e|a)?|managing director|gescha(?:e)?ftsfu(?:e)?hr(?:er(?:in)?|ung)|gescha(?:e)?ftsfu(?:e)?hrende\\w*|vorstand\\w*|pra(?:e)?sident(?:in)?|pdg|directeur general|directrice generale|director general|directora general|gerente general|gerante?|consejer[oa] delegad[oa]',
    ),
    'c_suite',
  ],
  [words('chief of staff|chief \\w+'), 'head'],
  [words('(?:business|hr|people|channel|technology) partner'), 'unknown'],
  [
    /\bpartner(?!ship|s\b| (?:manager|marketing|success|sales|account|development|program|support|relations))(?:in)?\b/,
    'partner',
  ],
  [words('associee?|soci[oa]|teilhaber(?:in)?|gesellschafter(?:in)?'), 'partner'],
  [
    /\b(?:(?:team|projekt|schicht|filial|gruppen|bau|kurs)leit(?:er(?:in)?|ung)|team ?lead(?:er)?|project lead|scrum master)\b/,
    'manager',
  ],
  [
    /\bhead\b|\b\w*leiter(?:in)?\b|\b\w*leitung\b|\b(?:jef[ea]|chef(?:fe)?) (?:de|du|d) (?:service|departement|departamento|division|area|ventas|marketing)\b/,
    'head',
  ],
  [words('director[a]?|direktor(?:in)?|direct(?:eur|rice)|dir|prokurist(?:in)?'), 'director'],
  [
    words(
      'manager(?:in)?|mgr|gerente|responsable|supervisor[a]?|superviseur|chef(?:fe)? (?:de|du|d)|jef[ea]|encargad[oa]|gestionnaire|abteilungs\\w+',
    ),
    'manager',
  ],
  [
    words('senior|sr|principal|staff|lead|expert[e]?|confirmee?|leitende[rn]?|architect|architekt(?:in)?'),
    'senior',
  ],
  [
    words(
      'junior|jr|entry level|assistant[e]?|assistent(?:in)?|asistente|associate|sachbearbeiter(?:in)?|clerk|receptionist|mitarbeiter(?:in)?|representative|rep|agent|auxiliar|employee?|charge[e]? (?:de|d)',
    ),
    'entry',
  ],
];

export const departmentWords: readonly (readonly [RegExp, Department])[] = [
  [
    words(
      'cfo|finan\\w*|account(?:ing|ant|s)|controll(?:er|ing)\\w*|buchhalt\\w*|compta\\w*|contab\\w*|contador[a]?|treasur\\w*|steuer\\w*|audit\\w*|tax',
    ),
    'finance',
  ],
  [
    words(
      'chro|hr|human resources|people|personal(?:er|leit\\w*|abteilung|wesen|referent\\w*)|recruit\\w*|talent|ressources humaines|rh|recursos humanos|rrhh',
    ),
    'human_resources',
  ],
  [
    words(
      'customer (?:success|service|support|care|experience)|kunden(?:service|betreu\\w*|dienst)|support|service client|atencion al cliente|help ?desk',
    ),
    'customer_service',
  ],
  [
    words(
      'procurement|purchas\\w*|buyer|sourcing|einkauf\\w*|einkaufer(?:in)?|achats?|acheteu(?:r|se)|compras|comprador[a]?|supply chain',
    ),
    'purchasing',
  ],
  [words('cmo|marketing\\w*|growth|brand|seo|sea|content|demand gen\\w*|mercadotecnia'), 'marketing'],
  [
    words(
      'pr|press\\w*|presse\\w*|communications?|kommunikation|communicaciones?|comunicacion|public relations|media relations',
    ),
    'communications',
  ],
  [
    words(
      'cro|sales|vertrieb\\w*|account (?:manager|executive|director)|business development|verkauf\\w*|verkaufer(?:in)?|commercial(?:e)?|ventas|vendedor[a]?|vente[s]?|revenue|key account\\w*|sdr|bdr',
    ),
    'sales',
  ],
  [
    words(
      'legal|lawyer|attorney|counsel|anwalt|anwaltin|rechts\\w*|jurist(?:e|in)?|juridique|avocate?|abogad[oa]|compliance|notar\\w*|datenschutz\\w*',
    ),
    'legal',
  ],
  [words('cdo|data|daten\\w*|analytics|bi|machine learning|ml|ai|statistic\\w*|donnees|datos'), 'data'],
  [words('ux|ui|design\\w*|creative|graphi\\w*|gestalt\\w*|art director|disen\\w*'), 'design'],
  [words('cpo|product|produkt\\w*|produit|producto'), 'product'],
  [
    words(
      'cio|ciso|it|edv|information (?:technology|security)|system(?:s)? admin\\w*|sysadmin|systemadministrat\\w*|informati\\w*|network|netzwerk\\w*|infrastructure|security|cyber\\w*|admin',
    ),
    'it',
  ],
  [
    words(
      'cto|engineer\\w*|develop(?:er|ment)|software\\w*|entwick\\w*|programm\\w*|devops|sre|qa|technical|technik\\w*|technolog\\w*|ingenieur\\w*|developpeu(?:r|se)|ingenier[oa]|desarrollador[a]?|tech|architect|architekt(?:in)?|construction',
    ),
    'engineering',
  ],
  [
    words(
      'research\\w*|forsch\\w*|recherche|chercheu(?:r|se)|investigador[a]?|scientist|r d|wissenschaft\\w*|lab',
    ),
    'research',
  ],
  [
    words(
      'doctor|physician|nurse|arzt|arztin|medizin\\w*|medical|medecin|medic[oa]|pharma\\w*|clinical|dentist|zahnarzt|zahnarztin|pflege\\w*|therap\\w*',
    ),
    'medical',
  ],
  [
    words(
      'teacher|professor\\w*|lehrer(?:in)?|dozent(?:in)?|enseignante?|profesor[a]?|school|schul\\w*|education|training|dean|lecturer',
    ),
    'education',
  ],
  [
    words(
      'coo|operations?|ops|operativ\\w*|betriebs\\w*|produktion\\w*|manufacturing|logisti\\w*|plant|werks\\w*|facility|office manager|operaciones|exploitation|project|projekt\\w*|quality|qualita\\w*',
    ),
    'operations',
  ],
  [
    words(
      'ceo|chief executive|(?:co ?)?founder|owner|president(?:e|a)?|managing director|gescha(?:e)?ftsfu(?:e)?hr\\w*|vorstand\\w*|inhaber(?:in)?|(?:mit)?gru(?:e)?nder(?:in)?|pdg|directeur general|directrice generale|directora? general|gerante?|gerente general|fondat(?:eur|rice)|fundador[a]?|propietari[oa]|general manager|chief of staff|consejer[oa] delegad[oa]',
    ),
    'executive',
  ],
];

function words(alternatives: string): RegExp {
  return new RegExp(`\\b(?:${alternatives})\\b`);
}
