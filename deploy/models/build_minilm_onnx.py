"""Builds all-MiniLM-L6-v2 as an ONNX graph from its published weights, rounds it to int8, and checks
both against a plain numpy forward pass.

usage: build_minilm_onnx.py <directory with model.safetensors, config.json, tokenizer.json> <target directory>

Needs numpy, onnx, safetensors, onnxruntime; no torch. Called by `deploy/fetch-models minilm`.
"""

import json
import math
import os
import shutil
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file

OPSET = 17
MASKED = np.finfo(np.float32).min
MIN_COSINE_FLOAT = 0.9999
MIN_COSINE_INT8 = 0.98


class Graph:
    """Collects nodes and weights; every method returns the name of its result."""

    def __init__(self):
        self.nodes, self.weights, self.count = [], [], 0

    def weight(self, name, array):
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def constant(self, values, dtype):
        self.count += 1
        return self.weight(f"constant_{self.count}", np.array(values, dtype))

    def add(self, operator, inputs, outputs=1, **attributes):
        self.count += 1
        names = [f"{operator.lower()}_{self.count}_{at}" for at in range(outputs)]
        self.nodes.append(helper.make_node(operator, inputs, names, **attributes))
        return names[0] if outputs == 1 else names

    def linear(self, x, name, matrix, bias):
        product = self.add("MatMul", [x, self.weight(f"{name}.weight", matrix)])
        return self.add("Add", [product, self.weight(f"{name}.bias", bias)])

    def layer_norm(self, x, name, scale, bias, epsilon):
        scale, bias = self.weight(f"{name}.scale", scale), self.weight(f"{name}.bias", bias)
        return self.add("LayerNormalization", [x, scale, bias], axis=-1, epsilon=epsilon)


def build(weights, config):
    """The encoder as a model with inputs `input_ids`, `attention_mask`, `token_type_ids` and the
    output `last_hidden_state` (batch × tokens × width)."""
    heads, width = config["num_attention_heads"], config["hidden_size"]
    head_width, epsilon = width // heads, config["layer_norm_eps"]
    graph = Graph()

    words = graph.add("Gather", [graph.weight("words", weights["embeddings.word_embeddings.weight"]), "input_ids"])
    types = graph.add("Gather", [graph.weight("types", weights["embeddings.token_type_embeddings.weight"]), "token_type_ids"])
    length = graph.add("Gather", [graph.add("Shape", ["input_ids"]), graph.constant([1], np.int64)])
    starts, axes = graph.constant([0], np.int64), graph.constant([0], np.int64)
    positions = graph.weight("positions", weights["embeddings.position_embeddings.weight"])
    positions = graph.add("Slice", [positions, starts, length, axes])
    x = graph.add("Add", [graph.add("Add", [words, types]), positions])
    norm = "embeddings.LayerNorm"
    x = graph.layer_norm(x, norm, weights[f"{norm}.weight"], weights[f"{norm}.bias"], epsilon)

    mask = graph.add("Cast", ["attention_mask"], to=TensorProto.FLOAT)
    mask = graph.add("Unsqueeze", [mask, graph.constant([1, 2], np.int64)])
    mask = graph.add("Sub", [graph.constant(1, np.float32), mask])
    mask = graph.add("Mul", [mask, graph.constant(MASKED, np.float32)])

    split = graph.constant([0, 0, heads, head_width], np.int64)
    merge = graph.constant([0, 0, width], np.int64)
    for layer in range(config["num_hidden_layers"]):
        prefix = f"encoder.layer.{layer}"
        # The scale of the scores is folded into the query projection; the three projections are one.
        scale = {"query": 1 / math.sqrt(head_width), "key": 1.0, "value": 1.0}
        name = lambda part: f"{prefix}.attention.self.{part}"
        matrix = np.concatenate([weights[name(p) + ".weight"].T * np.float32(s) for p, s in scale.items()], axis=1)
        bias = np.concatenate([weights[name(p) + ".bias"] * np.float32(s) for p, s in scale.items()])
        projected = graph.linear(x, f"{prefix}.qkv", matrix, bias)
        query, key, value = graph.add("Split", [projected, graph.constant([width] * 3, np.int64)], 3, axis=-1)
        by_head = lambda part, order: graph.add("Transpose", [graph.add("Reshape", [part, split])], perm=order)
        scores = graph.add("MatMul", [by_head(query, [0, 2, 1, 3]), by_head(key, [0, 2, 3, 1])])
        attention = graph.add("Softmax", [graph.add("Add", [scores, mask])], axis=-1)
        mixed = graph.add("MatMul", [attention, by_head(value, [0, 2, 1, 3])])
        mixed = graph.add("Reshape", [graph.add("Transpose", [mixed], perm=[0, 2, 1, 3]), merge])
        for part, inner in (("attention.output", None), ("output", "intermediate")):
            if inner:
                dense = f"{prefix}.{inner}.dense"
                mixed = graph.linear(x, dense, weights[f"{dense}.weight"].T, weights[f"{dense}.bias"])
                erf = graph.add("Erf", [graph.add("Div", [mixed, graph.constant(math.sqrt(2), np.float32)])])
                mixed = graph.add("Mul", [mixed, graph.add("Add", [erf, graph.constant(1, np.float32)])])
                mixed = graph.add("Mul", [mixed, graph.constant(0.5, np.float32)])
            dense, norm = f"{prefix}.{part}.dense", f"{prefix}.{part}.LayerNorm"
            mixed = graph.linear(mixed, dense, weights[f"{dense}.weight"].T, weights[f"{dense}.bias"])
            x = graph.add("Add", [mixed, x])
            x = graph.layer_norm(x, norm, weights[f"{norm}.weight"], weights[f"{norm}.bias"], epsilon)
    graph.nodes.append(helper.make_node("Identity", [x], ["last_hidden_state"]))

    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", width])
    body = helper.make_graph(graph.nodes, "all-MiniLM-L6-v2", inputs, [output], graph.weights)
    model = helper.make_model(body, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8, producer_name="quarry")
    onnx.checker.check_model(model)
    return model


def forward(weights, config, ids, mask):
    """The same encoder written once more in numpy, as the judge."""
    heads, width, epsilon = config["num_attention_heads"], config["hidden_size"], config["layer_norm_eps"]

    def norm(x, name):
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + epsilon)
        return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def dense(x, name):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    batch, tokens = ids.shape
    x = weights["embeddings.word_embeddings.weight"][ids]
    x = x + weights["embeddings.token_type_embeddings.weight"][0] + weights["embeddings.position_embeddings.weight"][:tokens]
    x = norm(x, "embeddings.LayerNorm")
    erf = np.vectorize(math.erf)
    for layer in range(config["num_hidden_layers"]):
        prefix = f"encoder.layer.{layer}"
        parts = [dense(x, f"{prefix}.attention.self.{part}") for part in ("query", "key", "value")]
        query, key, value = (p.reshape(batch, tokens, heads, -1).transpose(0, 2, 1, 3) for p in parts)
        scores = query @ key.transpose(0, 1, 3, 2) / math.sqrt(width // heads)
        scores = np.where(mask[:, None, None, :] == 1, scores, -np.inf)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ value
        mixed = mixed.transpose(0, 2, 1, 3).reshape(batch, tokens, width)
        x = norm(dense(mixed, f"{prefix}.attention.output.dense") + x, f"{prefix}.attention.output.LayerNorm")
        inner = dense(x, f"{prefix}.intermediate.dense")
        inner = inner * 0.5 * (1 + erf(inner / math.sqrt(2)))
        x = norm(dense(inner, f"{prefix}.output.dense") + x, f"{prefix}.output.LayerNorm")
    return x


def pooled(hidden, mask):
    mean = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
    return mean / np.linalg.norm(mean, axis=1, keepdims=True)


def session(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(4, os.cpu_count() or 1)
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def cosines(path, ids, mask, expected):
    feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    hidden = session(path).run(None, feed)[0]
    return (pooled(hidden, mask) * expected).sum(1)


def sample_batch(source):
    """Real words of the vocabulary in sequences of different lengths, padded, fixed by a seed."""
    vocabulary = json.loads((source / "tokenizer.json").read_text())["model"]["vocab"]
    words = np.array(sorted(i for word, i in vocabulary.items() if word.isascii() and word.isalpha() and len(word) > 2))
    random = np.random.default_rng(7)
    lengths = [4, 9, 17, 33, 64, 120]
    ids = np.zeros((len(lengths), max(lengths)), np.int64)
    mask = np.zeros_like(ids)
    for row, length in enumerate(lengths):
        ids[row, :length] = random.choice(words, length)
        ids[row, 0], ids[row, length - 1] = vocabulary["[CLS]"], vocabulary["[SEP]"]
        mask[row, :length] = 1
    return ids, mask


def main():
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    weights = load_file(source / "model.safetensors")
    config = json.loads((source / "config.json").read_text())
    target.mkdir(parents=True, exist_ok=True)
    full, rounded = target / "model_f32.onnx", target / "model.onnx"
    onnx.save(build(weights, config), full)
    quantize_dynamic(full, rounded, per_channel=True, weight_type=QuantType.QInt8)

    ids, mask = sample_batch(source)
    expected = pooled(forward(weights, config, ids, mask), mask)
    for path, least in ((full, MIN_COSINE_FLOAT), (rounded, MIN_COSINE_INT8)):
        found = cosines(path, ids, mask, expected)
        megabytes = path.stat().st_size / 1e6
        print(f"{path.name}: {megabytes:.1f} MB, cosine to the original {found.mean():.5f} on average, {found.min():.5f} at least")
        if found.min() < least:
            sys.exit(f"{path.name} differs from the original: {found.min():.5f} < {least}")
    for name in ("tokenizer.json", "config.json", "LICENSE", "NOTICE"):
        shutil.copyfile(source / name, target / name)


if __name__ == "__main__":
    main()
