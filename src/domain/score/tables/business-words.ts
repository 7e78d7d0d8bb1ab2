import { HashTable } from '../reading/hash-table.ts';
import { wordHash } from '../reading/scan.ts';

const words = (text: string): string[] => text.split(/\s+/);

/** Words of people who want to buy, in a few languages, without accents. */
const buyingWords =
  words(`quote quotes quotation pricing price prices cost costs budget demo demonstration trial offer
  purchase buy order deadline urgent asap proposal estimate consultation appointment meeting implement implementation
  licence license licenses seats users rollout migrate switching vendor evaluate evaluating interested
  angebot preis preise kosten termin bestellen kaufen lizenz beratung ruckruf vorfuhrung devis prix tarif tarifs
  cout rendez acheter demonstration commande presupuesto precio precios coste cotizacion comprar demostracion cita
  orcamento preco precos comprar preventivo prezzo prezzi acquistare offerte offerta aanbieding prijs prijzen afspraak oferta
  cena wycena цена стоимость заказ купить демо предложение 价格 报价 見積 見積もり 料金 견적 가격`);

/** Words of people who want something else. */
const elsewhereWords =
  words(`job jobs vacancy vacancies internship intern resume cv hiring career careers apply
  applicant journalist press interview refund invoice complaint password login unsubscribe bewerbung praktikum stelle
  lebenslauf stage emploi candidature empleo curriculum practicas vaga estagio tirocinio lavoro вакансия резюме`);

/** By hash: 1 for a word of the first list, 2 for one of the second. */
export const intentWords = new HashTable([
  ...buyingWords.map((word): [number, number] => [wordHash(word), 1]),
  ...elsewhereWords.map((word): [number, number] => [wordHash(word), 2]),
]);

const topTitle =
  /\b(?:ceo|cto|cfo|coo|cmo|cio|cpo|ciso|chief|founder|co-?founder|owner|president|partner|managing director|gesch[aä]ftsf[uü]hrer(?:in)?|inhaber(?:in)?|vorstand|pdg|g[ée]rante?|dg|fondateur|propri[ée]taire|director general|due[nñ]o|gerente general|titolare|amministratore|eigenaar|directeur g[ée]n[ée]ral|prezes|генеральный директор|владелец)\b/i;
const headTitle =
  /\b(?:director|head|vp|vice president|svp|evp|directeur|directrice|directora?|direktor(?:in)?|leiter(?:in)?|bereichsleiter(?:in)?|direttore|diretor|dyrektor|директор)\b|leiter(?:in)?\b/i;
const managerTitle =
  /\b(?:manager|lead|principal|supervisor|responsable|gerente|jefe|responsabile|manager(?:in)?|kierownik|coordinator|руководитель|менеджер)\b/i;

export type TitleRank = 'top' | 'head' | 'manager';

/** "Assistant to the CEO" is none of these. */
export function titleRankOf(title: string): TitleRank | null {
  if (/\bassistant\b|\bassistenz\b|\bassistante?\b|\bintern\b/i.test(title)) return null;
  if (/\bvice[ -]president\b/i.test(title)) return 'head';
  if (topTitle.test(title)) return 'top';
  if (headTitle.test(title)) return 'head';
  return managerTitle.test(title) ? 'manager' : null;
}
