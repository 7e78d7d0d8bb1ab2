import { randomNumbers, shuffled } from './tuning-data.ts';

export interface Example {
  readonly slots: readonly number[];
  readonly damping: number;
  readonly isPositive: boolean;
  readonly weight: number;
}

export interface LinearModel {
  readonly weights: Int8Array;
  readonly bias: number;
}

interface Options {
  readonly slotCount: number;
  readonly epochs: number;
  readonly rate: number;
  readonly decay: number;
  readonly seed: number;
  /** If given, it is not trained: it alone decides about words the model does not know. */
  readonly fixedBias?: number;
  /** The share of features left out at each step, so that no word alone carries a text. */
  readonly dropout?: number;
  /** What a weight of 1 becomes; otherwise the largest weight becomes 127. */
  readonly scale?: number;
}

/** Logistic regression with one learning rate per weight, rounded to bytes at the end. */
export function trainLinearModel(examples: readonly Example[], options: Options): LinearModel {
  const random = randomNumbers(options.seed);
  const weights = new Float64Array(options.slotCount);
  const squares = new Float64Array(options.slotCount).fill(1e-6);
  let bias = options.fixedBias ?? 0;
  let biasSquares = 1e-6;
  const dropout = options.dropout ?? 0;
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    for (const example of shuffled(examples, random)) {
      const slots = dropout === 0 ? example.slots : example.slots.filter(() => random() >= dropout);
      const damping = example.damping * (1 - dropout);
      let sum = bias;
      for (const slot of slots) sum += (weights[slot] as number) / damping;
      const error = (1 / (1 + Math.exp(-sum)) - (example.isPositive ? 1 : 0)) * example.weight;
      for (const slot of slots) {
        const gradient = error / damping + options.decay * (weights[slot] as number);
        squares[slot] = (squares[slot] as number) + gradient * gradient;
        weights[slot] =
          (weights[slot] as number) - (options.rate * gradient) / Math.sqrt(squares[slot] as number);
      }
      if (options.fixedBias !== undefined) continue;
      biasSquares += error * error;
      bias -= (options.rate * error) / Math.sqrt(biasSquares);
    }
  }
  return rounded(weights, bias, options.scale);
}

function rounded(weights: Float64Array, bias: number, given?: number): LinearModel {
  const largest = weights.reduce((max, weight) => Math.max(max, Math.abs(weight)), 1e-9);
  const scale = given ?? 127 / largest;
  return {
    weights: Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight * scale)))),
    bias: Math.round(bias * scale),
  };
}
