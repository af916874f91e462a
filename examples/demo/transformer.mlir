#loc0 = loc("master['down']")
#loc1 = loc("master['embed']")
#loc2 = loc("master['gain1']")
#loc3 = loc("master['gain2']")
#loc4 = loc("master['gain3']")
#loc5 = loc("master['gate']")
#loc6 = loc("master['head']")
#loc7 = loc("master['key']")
#loc8 = loc("master['position']")
#loc9 = loc("master['proj']")
#loc10 = loc("master['query']")
#loc11 = loc("master['up']")
#loc12 = loc("master['value']")
#loc13 = loc("first['down']")
#loc14 = loc("first['embed']")
#loc15 = loc("first['gain1']")
#loc16 = loc("first['gain2']")
#loc17 = loc("first['gain3']")
#loc18 = loc("first['gate']")
#loc19 = loc("first['head']")
#loc20 = loc("first['key']")
#loc21 = loc("first['position']")
#loc22 = loc("first['proj']")
#loc23 = loc("first['query']")
#loc24 = loc("first['up']")
#loc25 = loc("first['value']")
#loc26 = loc("second['down']")
#loc27 = loc("second['embed']")
#loc28 = loc("second['gain1']")
#loc29 = loc("second['gain2']")
#loc30 = loc("second['gain3']")
#loc31 = loc("second['gate']")
#loc32 = loc("second['head']")
#loc33 = loc("second['key']")
#loc34 = loc("second['position']")
#loc35 = loc("second['proj']")
#loc36 = loc("second['query']")
#loc37 = loc("second['up']")
#loc38 = loc("second['value']")
#loc39 = loc("count")
#loc40 = loc("ids")
#loc41 = loc("targets")
#loc42 = loc(unknown)
#loc43 = loc("jit(train_step)/mul")
#loc44 = loc("jit(train_step)/add")
#loc45 = loc("jit(train_step)/jvp(jit(silu))")
#loc46 = loc("jit(train_step)/jvp(jit(_where))/convert_element_type")
#loc47 = loc("jit(train_step)")
#loc48 = loc("jit(train_step)/convert_element_type")
#loc49 = loc("jit(train_step)/jvp()/lt")
#loc50 = loc("jit(train_step)/jvp()/add")
#loc51 = loc("jit(train_step)/jvp()/select_n")
#loc52 = loc("jit(train_step)/jvp()/broadcast_in_dim")
#loc53 = loc("jit(train_step)/jvp()/gather")
#loc54 = loc("jit(train_step)/jvp()/convert_element_type")
#loc55 = loc("jit(train_step)/jvp()/mul")
#loc56 = loc("jit(train_step)/jvp()/reduce_sum")
#loc57 = loc("jit(train_step)/jvp()/div")
#loc58 = loc("jit(train_step)/jvp()/rsqrt")
#loc59 = loc("jit(train_step)/jvp(query)/dot_general")
#loc60 = loc("jit(train_step)/jvp(query)/convert_element_type")
#loc61 = loc("jit(train_step)/jvp()/reshape")
#loc62 = loc("jit(train_step)/jvp(key)/dot_general")
#loc63 = loc("jit(train_step)/jvp(key)/convert_element_type")
#loc64 = loc("jit(train_step)/jvp(value)/dot_general")
#loc65 = loc("jit(train_step)/jvp(value)/convert_element_type")
#loc66 = loc("jit(train_step)/jvp(scores)/bihd,bjhd->bhij/dot_general")
#loc67 = loc("jit(train_step)/jvp()/iota")
#loc68 = loc("jit(train_step)/jvp()/ge")
#loc69 = loc("jit(train_step)/jvp(jit(_where))/broadcast_in_dim")
#loc70 = loc("jit(train_step)/jvp(jit(_where))/select_n")
#loc71 = loc("jit(train_step)/jvp()/reduce_max")
#loc72 = loc("jit(train_step)/jvp()/max")
#loc73 = loc("jit(train_step)/jvp()/sub")
#loc74 = loc("jit(train_step)/jvp()/exp")
#loc75 = loc("jit(train_step)/jvp(mix)/bhij,bjhd->bihd/dot_general")
#loc76 = loc("jit(train_step)/jvp(mix)/bhij,bjhd->bihd/transpose")
#loc77 = loc("jit(train_step)/jvp(proj)/dot_general")
#loc78 = loc("jit(train_step)/jvp(proj)/convert_element_type")
#loc79 = loc("jit(train_step)/jvp(gate)/dot_general")
#loc80 = loc("jit(train_step)/jvp(gate)/convert_element_type")
#loc81 = loc("jit(train_step)/jvp(jit(silu))/neg")
#loc82 = loc("jit(train_step)/jvp(jit(silu))/exp")
#loc83 = loc("jit(train_step)/jvp(jit(silu))/add")
#loc84 = loc("jit(train_step)/jvp(jit(silu))/div")
#loc85 = loc("jit(train_step)/jvp(jit(silu))/sub")
#loc86 = loc("jit(train_step)/jvp(jit(silu))/mul")
#loc87 = loc("jit(train_step)/jvp(up)/dot_general")
#loc88 = loc("jit(train_step)/jvp(up)/convert_element_type")
#loc89 = loc("jit(train_step)/jvp(down)/dot_general")
#loc90 = loc("jit(train_step)/jvp(down)/convert_element_type")
#loc91 = loc("jit(train_step)/jvp(head)/dot_general")
#loc92 = loc("jit(train_step)/jvp(jit(_one_hot))/broadcast_in_dim")
#loc93 = loc("jit(train_step)/jvp(jit(_one_hot))/iota")
#loc94 = loc("jit(train_step)/jvp(jit(_one_hot))/eq")
#loc95 = loc("jit(train_step)/jvp(jit(_one_hot))/convert_element_type")
#loc96 = loc("jit(train_step)/jvp(jit(log_softmax))/reduce_max")
#loc97 = loc("reduce_max")
#loc98 = loc("jit(train_step)/jvp(jit(log_softmax))/max")
#loc99 = loc("jit(train_step)/jvp(jit(log_softmax))")
#loc100 = loc("jit(train_step)/jvp(jit(log_softmax))/broadcast_in_dim")
#loc101 = loc("jit(train_step)/jvp(jit(log_softmax))/sub")
#loc102 = loc("jit(train_step)/jvp(jit(log_softmax))/exp")
#loc103 = loc("jit(train_step)/jvp(jit(log_softmax))/reduce_sum")
#loc104 = loc("reduce_sum")
#loc105 = loc("jit(train_step)/jvp(jit(log_softmax))/log")
#loc106 = loc("jit(train_step)/jvp()/neg")
#loc107 = loc("jit(train_step)/transpose(jvp())/neg")
#loc108 = loc("jit(train_step)/transpose(jvp())/div")
#loc109 = loc("jit(train_step)/transpose(jvp())/broadcast_in_dim")
#loc110 = loc("jit(train_step)/transpose(jvp())/mul")
#loc111 = loc("jit(train_step)/transpose(jvp(jit(log_softmax)))/neg")
#loc112 = loc("jit(train_step)/transpose(jvp(jit(log_softmax)))/reduce_sum")
#loc113 = loc("jit(train_step)/transpose(jvp(jit(log_softmax)))/reshape")
#loc114 = loc("jit(train_step)/transpose(jvp(jit(log_softmax)))/div")
#loc115 = loc("jit(train_step)/transpose(jvp(jit(log_softmax)))/broadcast_in_dim")
#loc116 = loc("jit(train_step)/transpose(jvp(jit(log_softmax)))/mul")
#loc117 = loc("jit(train_step)/transpose(jvp(jit(log_softmax)))/add_any")
#loc118 = loc("jit(train_step)/transpose(jvp(head))/dot_general")
#loc119 = loc("jit(train_step)/transpose(jvp(head))/transpose")
#loc120 = loc("jit(train_step)/transpose(jvp(head))/convert_element_type")
#loc121 = loc("jit(train_step)/transpose(jvp())/convert_element_type")
#loc122 = loc("jit(train_step)/transpose(jvp())/reduce_sum")
#loc123 = loc("jit(train_step)/transpose(jvp())/reshape")
#loc124 = loc("jit(train_step)/transpose(jvp())/add_any")
#loc125 = loc("jit(train_step)/transpose(jvp(down))/convert_element_type")
#loc126 = loc("jit(train_step)/transpose(jvp(down))/dot_general")
#loc127 = loc("jit(train_step)/transpose(jvp(down))/transpose")
#loc128 = loc("jit(train_step)/transpose(jvp(up))/convert_element_type")
#loc129 = loc("jit(train_step)/transpose(jvp(up))/dot_general")
#loc130 = loc("jit(train_step)/transpose(jvp(up))/transpose")
#loc131 = loc("jit(train_step)/transpose(jvp(jit(silu)))/mul")
#loc132 = loc("jit(train_step)/transpose(jvp(jit(silu)))/add_any")
#loc133 = loc("jit(train_step)/transpose(jvp(gate))/convert_element_type")
#loc134 = loc("jit(train_step)/transpose(jvp(gate))/dot_general")
#loc135 = loc("jit(train_step)/transpose(jvp(gate))/transpose")
#loc136 = loc("jit(train_step)/transpose(jvp(gate))/add_any")
#loc137 = loc("jit(train_step)/transpose(jvp(proj))/convert_element_type")
#loc138 = loc("jit(train_step)/transpose(jvp(proj))/dot_general")
#loc139 = loc("jit(train_step)/transpose(jvp(proj))/transpose")
#loc140 = loc("jit(train_step)/transpose(jvp(mix))/bhij,bjhd->bihd/transpose")
#loc141 = loc("jit(train_step)/transpose(jvp(mix))/bhij,bjhd->bihd/dot_general")
#loc142 = loc("jit(train_step)/transpose(jvp(mix))/bhij,bjhd->bihd/convert_element_type")
#loc143 = loc("jit(train_step)/transpose(jvp(jit(_where)))/broadcast_in_dim")
#loc144 = loc("jit(train_step)/transpose(jvp(jit(_where)))")
#loc145 = loc("jit(train_step)/transpose(jvp(jit(_where)))/select_n")
#loc146 = loc("jit(train_step)/transpose(jvp(scores))/bihd,bjhd->bhij/dot_general")
#loc147 = loc("jit(train_step)/transpose(jvp(scores))/bihd,bjhd->bhij/transpose")
#loc148 = loc("jit(train_step)/transpose(jvp(scores))/bihd,bjhd->bhij/convert_element_type")
#loc149 = loc("jit(train_step)/transpose(jvp(value))/convert_element_type")
#loc150 = loc("jit(train_step)/transpose(jvp(value))/dot_general")
#loc151 = loc("jit(train_step)/transpose(jvp(value))/transpose")
#loc152 = loc("jit(train_step)/transpose(jvp(key))/convert_element_type")
#loc153 = loc("jit(train_step)/transpose(jvp(key))/dot_general")
#loc154 = loc("jit(train_step)/transpose(jvp(key))/transpose")
#loc155 = loc("jit(train_step)/transpose(jvp(key))/add_any")
#loc156 = loc("jit(train_step)/transpose(jvp(query))/convert_element_type")
#loc157 = loc("jit(train_step)/transpose(jvp(query))/dot_general")
#loc158 = loc("jit(train_step)/transpose(jvp(query))/transpose")
#loc159 = loc("jit(train_step)/transpose(jvp(query))/add_any")
#loc160 = loc("jit(train_step)/transpose(jvp())/scatter-add")
#loc161 = loc("jit(train_step)/exp")
#loc162 = loc("jit(train_step)/sub")
#loc163 = loc("jit(train_step)/div")
#loc164 = loc("jit(train_step)/sqrt")
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> ()>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> ()>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map9 = affine_map<(d0, d1, d2) -> (d2)>
#map10 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map16 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map17 = affine_map<(d0, d1, d2, d3) -> ()>
#map18 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map19 = affine_map<() -> ()>
#map20 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map21 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map22 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map23 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map24 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map25 = affine_map<(d0, d1, d2, d3) -> (d2, d3, d0)>
#map26 = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
#map27 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map28 = affine_map<(d0, d1) -> (d1, d0)>
#map29 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#map30 = affine_map<(d0, d1, d2) -> (d0)>
#map31 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map32 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2)>
#map33 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map34 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map35 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d3)>
#map36 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map37 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map38 = affine_map<(d0) -> ()>
module @jit_train_step {
  func.func public @main(%arg0: tensor<384x128xf32> loc(#loc0), %arg1: tensor<96x128xf32> loc(#loc1), %arg2: tensor<128xf32> loc(#loc2), %arg3: tensor<128xf32> loc(#loc3), %arg4: tensor<128xf32> loc(#loc4), %arg5: tensor<128x384xf32> loc(#loc5), %arg6: tensor<128x96xf32> loc(#loc6), %arg7: tensor<128x128xf32> loc(#loc7), %arg8: tensor<64x128xf32> loc(#loc8), %arg9: tensor<128x128xf32> loc(#loc9), %arg10: tensor<128x128xf32> loc(#loc10), %arg11: tensor<128x384xf32> loc(#loc11), %arg12: tensor<128x128xf32> loc(#loc12), %arg13: tensor<384x128xf32> loc(#loc13), %arg14: tensor<96x128xf32> loc(#loc14), %arg15: tensor<128xf32> loc(#loc15), %arg16: tensor<128xf32> loc(#loc16), %arg17: tensor<128xf32> loc(#loc17), %arg18: tensor<128x384xf32> loc(#loc18), %arg19: tensor<128x96xf32> loc(#loc19), %arg20: tensor<128x128xf32> loc(#loc20), %arg21: tensor<64x128xf32> loc(#loc21), %arg22: tensor<128x128xf32> loc(#loc22), %arg23: tensor<128x128xf32> loc(#loc23), %arg24: tensor<128x384xf32> loc(#loc24), %arg25: tensor<128x128xf32> loc(#loc25), %arg26: tensor<384x128xf32> loc(#loc26), %arg27: tensor<96x128xf32> loc(#loc27), %arg28: tensor<128xf32> loc(#loc28), %arg29: tensor<128xf32> loc(#loc29), %arg30: tensor<128xf32> loc(#loc30), %arg31: tensor<128x384xf32> loc(#loc31), %arg32: tensor<128x96xf32> loc(#loc32), %arg33: tensor<128x128xf32> loc(#loc33), %arg34: tensor<64x128xf32> loc(#loc34), %arg35: tensor<128x128xf32> loc(#loc35), %arg36: tensor<128x128xf32> loc(#loc36), %arg37: tensor<128x384xf32> loc(#loc37), %arg38: tensor<128x128xf32> loc(#loc38), %arg39: tensor<i32> loc(#loc39), %arg40: tensor<8x64xi32> loc(#loc40), %arg41: tensor<8x64xi32> loc(#loc41)) -> (tensor<f32>, tensor<384x128xf32>, tensor<96x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128x384xf32>, tensor<128x96xf32>, tensor<128x128xf32>, tensor<64x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x384xf32>, tensor<128x128xf32>, tensor<384x128xf32>, tensor<96x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128x384xf32>, tensor<128x96xf32>, tensor<128x128xf32>, tensor<64x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x384xf32>, tensor<128x128xf32>, tensor<384x128xf32>, tensor<96x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128x384xf32>, tensor<128x96xf32>, tensor<128x128xf32>, tensor<64x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x384xf32>, tensor<128x128xf32>, tensor<i32>) {
    %cst = arith.constant -1.000000e+00 : f32 loc(#loc42)
    %cst_0 = arith.constant -0.0512932949 : f32 loc(#loc43)
    %cst_1 = arith.constant -0.105360515 : f32 loc(#loc43)
    %c1_i32 = arith.constant 1 : i32 loc(#loc44)
    %cst_2 = arith.constant 0.000000e+00 : bf16 loc(#loc42)
    %cst_3 = arith.constant 1.000000e+00 : f32 loc(#loc42)
    %cst_4 = arith.constant 5.120000e+02 : f32 loc(#loc42)
    %cst_5 = arith.constant dense<1.000000e+00> : tensor<bf16> loc(#loc45)
    %cst_6 = arith.constant 0xFF800000 : f32 loc(#loc42)
    %cst_7 = arith.constant -1.000000e+30 : f32 loc(#loc46)
    %cst_8 = arith.constant 0.000000e+00 : f32 loc(#loc42)
    %c95 = arith.constant 95 : index loc(#loc42)
    %c0 = arith.constant 0 : index loc(#loc42)
    %cst_9 = arith.constant dense<9.99999993E-9> : tensor<f32> loc(#loc42)
    %cst_10 = arith.constant dense<3.000000e-03> : tensor<f32> loc(#loc42)
    %cst_11 = arith.constant dense<5.000000e-02> : tensor<f32> loc(#loc42)
    %cst_12 = arith.constant dense<0.949999988> : tensor<f32> loc(#loc42)
    %cst_13 = arith.constant dense<1.000000e-01> : tensor<f32> loc(#loc42)
    %cst_14 = arith.constant dense<0.899999976> : tensor<f32> loc(#loc42)
    %cst_15 = arith.constant dense<0.000000e+00> : tensor<bf16> loc(#loc42)
    %cst_16 = arith.constant dense<1.000000e+00> : tensor<f32> loc(#loc42)
    %cst_17 = arith.constant dense<0xFF800000> : tensor<f32> loc(#loc42)
    %cst_18 = arith.constant dense<5.65685415> : tensor<f32> loc(#loc42)
    %cst_19 = arith.constant dense<-5.000000e-01> : tensor<f32> loc(#loc42)
    %cst_20 = arith.constant dense<9.99999974E-6> : tensor<f32> loc(#loc42)
    %cst_21 = arith.constant dense<1.280000e+02> : tensor<f32> loc(#loc42)
    %cst_22 = arith.constant dense<0.000000e+00> : tensor<f32> loc(#loc42)
    %cst_23 = arith.constant dense<96> : tensor<i32> loc(#loc47)
    %cst_24 = arith.constant dense<0> : tensor<i32> loc(#loc47)
    %0 = tensor.empty() : tensor<384x128xbf16> loc(#loc48)
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<384x128xf32>) outs(%0 : tensor<384x128xbf16>) {
    ^bb0(%in: f32 loc(#loc0), %out: bf16 loc(#loc48)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc48)
      linalg.yield %1360 : bf16 loc(#loc48)
    } -> tensor<384x128xbf16> loc(#loc48)
    %2 = tensor.empty() : tensor<96x128xbf16> loc(#loc48)
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<96x128xf32>) outs(%2 : tensor<96x128xbf16>) {
    ^bb0(%in: f32 loc(#loc1), %out: bf16 loc(#loc48)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc48)
      linalg.yield %1360 : bf16 loc(#loc48)
    } -> tensor<96x128xbf16> loc(#loc48)
    %4 = tensor.empty() : tensor<128xbf16> loc(#loc48)
    %5 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg2 : tensor<128xf32>) outs(%4 : tensor<128xbf16>) {
    ^bb0(%in: f32 loc(#loc2), %out: bf16 loc(#loc48)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc48)
      linalg.yield %1360 : bf16 loc(#loc48)
    } -> tensor<128xbf16> loc(#loc48)
    %6 = tensor.empty() : tensor<128xbf16> loc(#loc48)
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg3 : tensor<128xf32>) outs(%6 : tensor<128xbf16>) {
    ^bb0(%in: f32 loc(#loc3), %out: bf16 loc(#loc48)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc48)
      linalg.yield %1360 : bf16 loc(#loc48)
    } -> tensor<128xbf16> loc(#loc48)
    %8 = tensor.empty() : tensor<128xbf16> loc(#loc48)
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg4 : tensor<128xf32>) outs(%8 : tensor<128xbf16>) {
    ^bb0(%in: f32 loc(#loc4), %out: bf16 loc(#loc48)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc48)
      linalg.yield %1360 : bf16 loc(#loc48)
    } -> tensor<128xbf16> loc(#loc48)
    %10 = tensor.empty() : tensor<128x384xbf16> loc(#loc48)
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<128x384xf32>) outs(%10 : tensor<128x384xbf16>) {
    ^bb0(%in: f32 loc(#loc5), %out: bf16 loc(#loc48)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc48)
      linalg.yield %1360 : bf16 loc(#loc48)
    } -> tensor<128x384xbf16> loc(#loc48)
    %12 = tensor.empty() : tensor<128x96xbf16> loc(#loc48)
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg6 : tensor<128x96xf32>) outs(%12 : tensor<128x96xbf16>) {
    ^bb0(%in: f32 loc(#loc6), %out: bf16 loc(#loc48)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc48)
      linalg.yield %1360 : bf16 loc(#loc48)
    } -> tensor<128x96xbf16> loc(#loc48)
    %14 = tensor.empty() : tensor<128x128xbf16> loc(#loc48)
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg7 : tensor<128x128xf32>) outs(%14 : tensor<128x128xbf16>) {
    ^bb0(%in: f32 loc(#loc7), %out: bf16 loc(#loc48)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc48)
      linalg.yield %1360 : bf16 loc(#loc48)
    } -> tensor<128x128xbf16> loc(#loc48)
    %16 = tensor.empty() : tensor<64x128xbf16> loc(#loc48)
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg8 : tensor<64x128xf32>) outs(%16 : tensor<64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc8), %out: bf16 loc(#loc48)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc48)
      linalg.yield %1360 : bf16 loc(#loc48)
    } -> tensor<64x128xbf16> loc(#loc48)
    %18 = tensor.empty() : tensor<128x128xbf16> loc(#loc48)
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<128x128xf32>) outs(%18 : tensor<128x128xbf16>) {
    ^bb0(%in: f32 loc(#loc9), %out: bf16 loc(#loc48)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc48)
      linalg.yield %1360 : bf16 loc(#loc48)
    } -> tensor<128x128xbf16> loc(#loc48)
    %20 = tensor.empty() : tensor<128x128xbf16> loc(#loc48)
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg10 : tensor<128x128xf32>) outs(%20 : tensor<128x128xbf16>) {
    ^bb0(%in: f32 loc(#loc10), %out: bf16 loc(#loc48)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc48)
      linalg.yield %1360 : bf16 loc(#loc48)
    } -> tensor<128x128xbf16> loc(#loc48)
    %22 = tensor.empty() : tensor<128x384xbf16> loc(#loc48)
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg11 : tensor<128x384xf32>) outs(%22 : tensor<128x384xbf16>) {
    ^bb0(%in: f32 loc(#loc11), %out: bf16 loc(#loc48)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc48)
      linalg.yield %1360 : bf16 loc(#loc48)
    } -> tensor<128x384xbf16> loc(#loc48)
    %24 = tensor.empty() : tensor<128x128xbf16> loc(#loc48)
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg12 : tensor<128x128xf32>) outs(%24 : tensor<128x128xbf16>) {
    ^bb0(%in: f32 loc(#loc12), %out: bf16 loc(#loc48)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc48)
      linalg.yield %1360 : bf16 loc(#loc48)
    } -> tensor<128x128xbf16> loc(#loc48)
    %26 = tensor.empty() : tensor<8x64xi32> loc(#loc49)
    %27 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_24 : tensor<i32>) outs(%26 : tensor<8x64xi32>) {
    ^bb0(%in: i32 loc(#loc47), %out: i32 loc(#loc49)):
      linalg.yield %in : i32 loc(#loc49)
    } -> tensor<8x64xi32> loc(#loc49)
    %28 = tensor.empty() : tensor<8x64xi1> loc(#loc49)
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg40, %27 : tensor<8x64xi32>, tensor<8x64xi32>) outs(%28 : tensor<8x64xi1>) {
    ^bb0(%in: i32 loc(#loc40), %in_41: i32 loc(#loc49), %out: i1 loc(#loc49)):
      %1360 = arith.cmpi slt, %in, %in_41 : i32 loc(#loc49)
      linalg.yield %1360 : i1 loc(#loc49)
    } -> tensor<8x64xi1> loc(#loc49)
    %30 = tensor.empty() : tensor<8x64xi32> loc(#loc50)
    %31 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_23 : tensor<i32>) outs(%30 : tensor<8x64xi32>) {
    ^bb0(%in: i32 loc(#loc47), %out: i32 loc(#loc50)):
      linalg.yield %in : i32 loc(#loc50)
    } -> tensor<8x64xi32> loc(#loc50)
    %32 = tensor.empty() : tensor<8x64xi32> loc(#loc50)
    %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg40, %31 : tensor<8x64xi32>, tensor<8x64xi32>) outs(%32 : tensor<8x64xi32>) {
    ^bb0(%in: i32 loc(#loc40), %in_41: i32 loc(#loc50), %out: i32 loc(#loc50)):
      %1360 = arith.addi %in, %in_41 : i32 loc(#loc50)
      linalg.yield %1360 : i32 loc(#loc50)
    } -> tensor<8x64xi32> loc(#loc50)
    %34 = tensor.empty() : tensor<8x64xi32> loc(#loc51)
    %35 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%29, %33, %arg40 : tensor<8x64xi1>, tensor<8x64xi32>, tensor<8x64xi32>) outs(%34 : tensor<8x64xi32>) {
    ^bb0(%in: i1 loc(#loc49), %in_41: i32 loc(#loc50), %in_42: i32 loc(#loc40), %out: i32 loc(#loc51)):
      %1360 = arith.select %in, %in_41, %in_42 : i32 loc(#loc51)
      linalg.yield %1360 : i32 loc(#loc51)
    } -> tensor<8x64xi32> loc(#loc51)
    %36 = tensor.empty() : tensor<8x64x1xi32> loc(#loc52)
    %37 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<8x64xi32>) outs(%36 : tensor<8x64x1xi32>) {
    ^bb0(%in: i32 loc(#loc51), %out: i32 loc(#loc52)):
      linalg.yield %in : i32 loc(#loc52)
    } -> tensor<8x64x1xi32> loc(#loc52)
    %38 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc53)
    %39 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel", "parallel"]} outs(%38 : tensor<8x64x128xbf16>) {
    ^bb0(%out: bf16 loc(#loc53)):
      %1360 = linalg.index 0 : index loc(#loc53)
      %1361 = linalg.index 1 : index loc(#loc53)
      %1362 = linalg.index 2 : index loc(#loc53)
      %extracted = tensor.extract %37[%1360, %1361, %c0] : tensor<8x64x1xi32> loc(#loc53)
      %1363 = arith.index_cast %extracted : i32 to index loc(#loc53)
      %1364 = arith.maxsi %1363, %c0 : index loc(#loc53)
      %1365 = arith.minsi %1364, %c95 : index loc(#loc53)
      %extracted_41 = tensor.extract %3[%1365, %1362] : tensor<96x128xbf16> loc(#loc53)
      linalg.yield %extracted_41 : bf16 loc(#loc53)
    } -> tensor<8x64x128xbf16> loc(#loc53)
    %40 = tensor.empty() : tensor<1x64x128xbf16> loc(#loc52)
    %41 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<64x128xbf16>) outs(%40 : tensor<1x64x128xbf16>) {
    ^bb0(%in: bf16 loc(#loc48), %out: bf16 loc(#loc52)):
      linalg.yield %in : bf16 loc(#loc52)
    } -> tensor<1x64x128xbf16> loc(#loc52)
    %42 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc50)
    %43 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41 : tensor<1x64x128xbf16>) outs(%42 : tensor<8x64x128xbf16>) {
    ^bb0(%in: bf16 loc(#loc52), %out: bf16 loc(#loc50)):
      linalg.yield %in : bf16 loc(#loc50)
    } -> tensor<8x64x128xbf16> loc(#loc50)
    %44 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc50)
    %45 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39, %43 : tensor<8x64x128xbf16>, tensor<8x64x128xbf16>) outs(%44 : tensor<8x64x128xbf16>) {
    ^bb0(%in: bf16 loc(#loc53), %in_41: bf16 loc(#loc50), %out: bf16 loc(#loc50)):
      %1360 = arith.addf %in, %in_41 : bf16 loc(#loc50)
      linalg.yield %1360 : bf16 loc(#loc50)
    } -> tensor<8x64x128xbf16> loc(#loc50)
    %46 = tensor.empty() : tensor<8x64x128xf32> loc(#loc54)
    %47 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<8x64x128xbf16>) outs(%46 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc50), %out: f32 loc(#loc54)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc54)
      linalg.yield %1360 : f32 loc(#loc54)
    } -> tensor<8x64x128xf32> loc(#loc54)
    %48 = tensor.empty() : tensor<8x64x128xf32> loc(#loc55)
    %49 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47, %47 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%48 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc54), %in_41: f32 loc(#loc54), %out: f32 loc(#loc55)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc55)
      linalg.yield %1360 : f32 loc(#loc55)
    } -> tensor<8x64x128xf32> loc(#loc55)
    %50 = tensor.empty() : tensor<8x64xf32> loc(#loc56)
    %51 = linalg.fill ins(%cst_8 : f32) outs(%50 : tensor<8x64xf32>) -> tensor<8x64xf32> loc(#loc56)
    %52 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%49 : tensor<8x64x128xf32>) outs(%51 : tensor<8x64xf32>) {
    ^bb0(%in: f32 loc(#loc56), %out: f32 loc(#loc56)):
      %1360 = arith.addf %out, %in : f32 loc(#loc56)
      linalg.yield %1360 : f32 loc(#loc56)
    } -> tensor<8x64xf32> loc(#loc56)
    %53 = tensor.empty() : tensor<8x64x1xf32> loc(#loc52)
    %54 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52 : tensor<8x64xf32>) outs(%53 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc56), %out: f32 loc(#loc52)):
      linalg.yield %in : f32 loc(#loc52)
    } -> tensor<8x64x1xf32> loc(#loc52)
    %55 = tensor.empty() : tensor<8x64x1xf32> loc(#loc57)
    %56 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_21 : tensor<f32>) outs(%55 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc57)):
      linalg.yield %in : f32 loc(#loc57)
    } -> tensor<8x64x1xf32> loc(#loc57)
    %57 = tensor.empty() : tensor<8x64x1xf32> loc(#loc57)
    %58 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54, %56 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%57 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc52), %in_41: f32 loc(#loc57), %out: f32 loc(#loc57)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc57)
      linalg.yield %1360 : f32 loc(#loc57)
    } -> tensor<8x64x1xf32> loc(#loc57)
    %59 = tensor.empty() : tensor<8x64x1xf32> loc(#loc50)
    %60 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_20 : tensor<f32>) outs(%59 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc50)):
      linalg.yield %in : f32 loc(#loc50)
    } -> tensor<8x64x1xf32> loc(#loc50)
    %61 = tensor.empty() : tensor<8x64x1xf32> loc(#loc50)
    %62 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %60 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%61 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc57), %in_41: f32 loc(#loc50), %out: f32 loc(#loc50)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc50)
      linalg.yield %1360 : f32 loc(#loc50)
    } -> tensor<8x64x1xf32> loc(#loc50)
    %63 = tensor.empty() : tensor<8x64x1xf32> loc(#loc58)
    %64 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62 : tensor<8x64x1xf32>) outs(%63 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc50), %out: f32 loc(#loc58)):
      %1360 = math.rsqrt %in : f32 loc(#loc58)
      linalg.yield %1360 : f32 loc(#loc58)
    } -> tensor<8x64x1xf32> loc(#loc58)
    %65 = tensor.empty() : tensor<8x64x1xf32> loc(#loc57)
    %66 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64, %62 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%65 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc58), %in_41: f32 loc(#loc50), %out: f32 loc(#loc57)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc57)
      linalg.yield %1360 : f32 loc(#loc57)
    } -> tensor<8x64x1xf32> loc(#loc57)
    %67 = tensor.empty() : tensor<8x64x1xf32> loc(#loc55)
    %68 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_19 : tensor<f32>) outs(%67 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc55)):
      linalg.yield %in : f32 loc(#loc55)
    } -> tensor<8x64x1xf32> loc(#loc55)
    %69 = tensor.empty() : tensor<8x64x1xf32> loc(#loc55)
    %70 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %66 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%69 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc55), %in_41: f32 loc(#loc57), %out: f32 loc(#loc55)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc55)
      linalg.yield %1360 : f32 loc(#loc55)
    } -> tensor<8x64x1xf32> loc(#loc55)
    %71 = tensor.empty() : tensor<8x64x128xf32> loc(#loc55)
    %72 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<8x64x1xf32>) outs(%71 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc58), %out: f32 loc(#loc55)):
      linalg.yield %in : f32 loc(#loc55)
    } -> tensor<8x64x128xf32> loc(#loc55)
    %73 = tensor.empty() : tensor<8x64x128xf32> loc(#loc55)
    %74 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47, %72 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%73 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc54), %in_41: f32 loc(#loc55), %out: f32 loc(#loc55)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc55)
      linalg.yield %1360 : f32 loc(#loc55)
    } -> tensor<8x64x128xf32> loc(#loc55)
    %75 = tensor.empty() : tensor<128xf32> loc(#loc54)
    %76 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%5 : tensor<128xbf16>) outs(%75 : tensor<128xf32>) {
    ^bb0(%in: bf16 loc(#loc48), %out: f32 loc(#loc54)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc54)
      linalg.yield %1360 : f32 loc(#loc54)
    } -> tensor<128xf32> loc(#loc54)
    %77 = tensor.empty() : tensor<1x1x128xf32> loc(#loc52)
    %78 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<128xf32>) outs(%77 : tensor<1x1x128xf32>) {
    ^bb0(%in: f32 loc(#loc54), %out: f32 loc(#loc52)):
      linalg.yield %in : f32 loc(#loc52)
    } -> tensor<1x1x128xf32> loc(#loc52)
    %79 = tensor.empty() : tensor<8x64x128xf32> loc(#loc55)
    %80 = linalg.generic {indexing_maps = [#map10, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<1x1x128xf32>) outs(%79 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc52), %out: f32 loc(#loc55)):
      linalg.yield %in : f32 loc(#loc55)
    } -> tensor<8x64x128xf32> loc(#loc55)
    %81 = tensor.empty() : tensor<8x64x128xf32> loc(#loc55)
    %82 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %80 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%81 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc55), %in_41: f32 loc(#loc55), %out: f32 loc(#loc55)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc55)
      linalg.yield %1360 : f32 loc(#loc55)
    } -> tensor<8x64x128xf32> loc(#loc55)
    %83 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc54)
    %84 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<8x64x128xf32>) outs(%83 : tensor<8x64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc55), %out: bf16 loc(#loc54)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc54)
      linalg.yield %1360 : bf16 loc(#loc54)
    } -> tensor<8x64x128xbf16> loc(#loc54)
    %85 = tensor.empty() : tensor<8x64x128xf32> loc(#loc59)
    %86 = linalg.fill ins(%cst_8 : f32) outs(%85 : tensor<8x64x128xf32>) -> tensor<8x64x128xf32> loc(#loc59)
    %87 = linalg.generic {indexing_maps = [#map11, #map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%84, %21 : tensor<8x64x128xbf16>, tensor<128x128xbf16>) outs(%86 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc54), %in_41: bf16 loc(#loc48), %out: f32 loc(#loc59)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc54)
      %1361 = arith.extf %in_41 : bf16 to f32 loc(#loc48)
      %1362 = arith.mulf %1360, %1361 : f32 loc(#loc54)
      %1363 = arith.addf %out, %1362 : f32 loc(#loc59)
      linalg.yield %1363 : f32 loc(#loc42)
    } -> tensor<8x64x128xf32> loc(#loc59)
    %88 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc60)
    %89 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<8x64x128xf32>) outs(%88 : tensor<8x64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc59), %out: bf16 loc(#loc60)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc60)
      linalg.yield %1360 : bf16 loc(#loc60)
    } -> tensor<8x64x128xbf16> loc(#loc60)
    %expanded = tensor.expand_shape %89 [[0], [1], [2, 3]] output_shape [8, 64, 4, 32] : tensor<8x64x128xbf16> into tensor<8x64x4x32xbf16> loc(#loc61)
    %90 = tensor.empty() : tensor<8x64x128xf32> loc(#loc62)
    %91 = linalg.fill ins(%cst_8 : f32) outs(%90 : tensor<8x64x128xf32>) -> tensor<8x64x128xf32> loc(#loc62)
    %92 = linalg.generic {indexing_maps = [#map11, #map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%84, %15 : tensor<8x64x128xbf16>, tensor<128x128xbf16>) outs(%91 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc54), %in_41: bf16 loc(#loc48), %out: f32 loc(#loc62)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc54)
      %1361 = arith.extf %in_41 : bf16 to f32 loc(#loc48)
      %1362 = arith.mulf %1360, %1361 : f32 loc(#loc54)
      %1363 = arith.addf %out, %1362 : f32 loc(#loc62)
      linalg.yield %1363 : f32 loc(#loc42)
    } -> tensor<8x64x128xf32> loc(#loc62)
    %93 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc63)
    %94 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<8x64x128xf32>) outs(%93 : tensor<8x64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc62), %out: bf16 loc(#loc63)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc63)
      linalg.yield %1360 : bf16 loc(#loc63)
    } -> tensor<8x64x128xbf16> loc(#loc63)
    %expanded_25 = tensor.expand_shape %94 [[0], [1], [2, 3]] output_shape [8, 64, 4, 32] : tensor<8x64x128xbf16> into tensor<8x64x4x32xbf16> loc(#loc61)
    %95 = tensor.empty() : tensor<8x64x128xf32> loc(#loc64)
    %96 = linalg.fill ins(%cst_8 : f32) outs(%95 : tensor<8x64x128xf32>) -> tensor<8x64x128xf32> loc(#loc64)
    %97 = linalg.generic {indexing_maps = [#map11, #map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%84, %25 : tensor<8x64x128xbf16>, tensor<128x128xbf16>) outs(%96 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc54), %in_41: bf16 loc(#loc48), %out: f32 loc(#loc64)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc54)
      %1361 = arith.extf %in_41 : bf16 to f32 loc(#loc48)
      %1362 = arith.mulf %1360, %1361 : f32 loc(#loc54)
      %1363 = arith.addf %out, %1362 : f32 loc(#loc64)
      linalg.yield %1363 : f32 loc(#loc42)
    } -> tensor<8x64x128xf32> loc(#loc64)
    %98 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc65)
    %99 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<8x64x128xf32>) outs(%98 : tensor<8x64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc64), %out: bf16 loc(#loc65)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc65)
      linalg.yield %1360 : bf16 loc(#loc65)
    } -> tensor<8x64x128xbf16> loc(#loc65)
    %expanded_26 = tensor.expand_shape %99 [[0], [1], [2, 3]] output_shape [8, 64, 4, 32] : tensor<8x64x128xbf16> into tensor<8x64x4x32xbf16> loc(#loc61)
    %100 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc66)
    %101 = linalg.fill ins(%cst_8 : f32) outs(%100 : tensor<8x4x64x64xf32>) -> tensor<8x4x64x64xf32> loc(#loc66)
    %102 = linalg.generic {indexing_maps = [#map14, #map15, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %expanded_25 : tensor<8x64x4x32xbf16>, tensor<8x64x4x32xbf16>) outs(%101 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: bf16 loc(#loc61), %in_41: bf16 loc(#loc61), %out: f32 loc(#loc66)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc61)
      %1361 = arith.extf %in_41 : bf16 to f32 loc(#loc61)
      %1362 = arith.mulf %1360, %1361 : f32 loc(#loc61)
      %1363 = arith.addf %out, %1362 : f32 loc(#loc66)
      linalg.yield %1363 : f32 loc(#loc42)
    } -> tensor<8x4x64x64xf32> loc(#loc66)
    %103 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc57)
    %104 = linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_18 : tensor<f32>) outs(%103 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc57)):
      linalg.yield %in : f32 loc(#loc57)
    } -> tensor<8x4x64x64xf32> loc(#loc57)
    %105 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc57)
    %106 = linalg.generic {indexing_maps = [#map18, #map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%102, %104 : tensor<8x4x64x64xf32>, tensor<8x4x64x64xf32>) outs(%105 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc66), %in_41: f32 loc(#loc57), %out: f32 loc(#loc57)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc57)
      linalg.yield %1360 : f32 loc(#loc57)
    } -> tensor<8x4x64x64xf32> loc(#loc57)
    %107 = tensor.empty() : tensor<64x64xi32> loc(#loc67)
    %108 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%107 : tensor<64x64xi32>) {
    ^bb0(%out: i32 loc(#loc67)):
      %1360 = linalg.index 0 : index loc(#loc67)
      %1361 = arith.index_cast %1360 : index to i32 loc(#loc67)
      linalg.yield %1361 : i32 loc(#loc67)
    } -> tensor<64x64xi32> loc(#loc67)
    %109 = tensor.empty() : tensor<64x64xi32> loc(#loc67)
    %110 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%109 : tensor<64x64xi32>) {
    ^bb0(%out: i32 loc(#loc67)):
      %1360 = linalg.index 1 : index loc(#loc67)
      %1361 = arith.index_cast %1360 : index to i32 loc(#loc67)
      linalg.yield %1361 : i32 loc(#loc67)
    } -> tensor<64x64xi32> loc(#loc67)
    %111 = tensor.empty() : tensor<64x64xi1> loc(#loc68)
    %112 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%108, %110 : tensor<64x64xi32>, tensor<64x64xi32>) outs(%111 : tensor<64x64xi1>) {
    ^bb0(%in: i32 loc(#loc67), %in_41: i32 loc(#loc67), %out: i1 loc(#loc68)):
      %1360 = arith.cmpi sge, %in, %in_41 : i32 loc(#loc68)
      linalg.yield %1360 : i1 loc(#loc68)
    } -> tensor<64x64xi1> loc(#loc68)
    %113 = tensor.empty() : tensor<f32> loc(#loc46)
    %114 = linalg.generic {indexing_maps = [#map19], iterator_types = []} outs(%113 : tensor<f32>) {
    ^bb0(%out: f32 loc(#loc46)):
      linalg.yield %cst_7 : f32 loc(#loc46)
    } -> tensor<f32> loc(#loc46)
    %115 = tensor.empty() : tensor<8x4x64x64xi1> loc(#loc69)
    %116 = linalg.generic {indexing_maps = [#map20, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%112 : tensor<64x64xi1>) outs(%115 : tensor<8x4x64x64xi1>) {
    ^bb0(%in: i1 loc(#loc68), %out: i1 loc(#loc69)):
      linalg.yield %in : i1 loc(#loc69)
    } -> tensor<8x4x64x64xi1> loc(#loc69)
    %117 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc69)
    %118 = linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%114 : tensor<f32>) outs(%117 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc46), %out: f32 loc(#loc69)):
      linalg.yield %in : f32 loc(#loc69)
    } -> tensor<8x4x64x64xf32> loc(#loc69)
    %119 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc70)
    %120 = linalg.generic {indexing_maps = [#map18, #map18, #map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%116, %106, %118 : tensor<8x4x64x64xi1>, tensor<8x4x64x64xf32>, tensor<8x4x64x64xf32>) outs(%119 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: i1 loc(#loc69), %in_41: f32 loc(#loc57), %in_42: f32 loc(#loc69), %out: f32 loc(#loc70)):
      %1360 = arith.select %in, %in_41, %in_42 : f32 loc(#loc70)
      linalg.yield %1360 : f32 loc(#loc70)
    } -> tensor<8x4x64x64xf32> loc(#loc70)
    %121 = tensor.empty() : tensor<8x4x64xf32> loc(#loc71)
    %122 = linalg.fill ins(%cst_6 : f32) outs(%121 : tensor<8x4x64xf32>) -> tensor<8x4x64xf32> loc(#loc71)
    %123 = linalg.generic {indexing_maps = [#map18, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%120 : tensor<8x4x64x64xf32>) outs(%122 : tensor<8x4x64xf32>) {
    ^bb0(%in: f32 loc(#loc71), %out: f32 loc(#loc71)):
      %1360 = arith.maximumf %out, %in : f32 loc(#loc71)
      linalg.yield %1360 : f32 loc(#loc71)
    } -> tensor<8x4x64xf32> loc(#loc71)
    %124 = tensor.empty() : tensor<8x4x64xf32> loc(#loc72)
    %125 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_17 : tensor<f32>) outs(%124 : tensor<8x4x64xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc72)):
      linalg.yield %in : f32 loc(#loc72)
    } -> tensor<8x4x64xf32> loc(#loc72)
    %126 = tensor.empty() : tensor<8x4x64xf32> loc(#loc72)
    %127 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %123 : tensor<8x4x64xf32>, tensor<8x4x64xf32>) outs(%126 : tensor<8x4x64xf32>) {
    ^bb0(%in: f32 loc(#loc72), %in_41: f32 loc(#loc71), %out: f32 loc(#loc72)):
      %1360 = arith.maximumf %in, %in_41 : f32 loc(#loc72)
      linalg.yield %1360 : f32 loc(#loc72)
    } -> tensor<8x4x64xf32> loc(#loc72)
    %128 = tensor.empty() : tensor<8x4x64x1xf32> loc(#loc52)
    %129 = linalg.generic {indexing_maps = [#map13, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%127 : tensor<8x4x64xf32>) outs(%128 : tensor<8x4x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc72), %out: f32 loc(#loc52)):
      linalg.yield %in : f32 loc(#loc52)
    } -> tensor<8x4x64x1xf32> loc(#loc52)
    %130 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc73)
    %131 = linalg.generic {indexing_maps = [#map21, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%129 : tensor<8x4x64x1xf32>) outs(%130 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc52), %out: f32 loc(#loc73)):
      linalg.yield %in : f32 loc(#loc73)
    } -> tensor<8x4x64x64xf32> loc(#loc73)
    %132 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc73)
    %133 = linalg.generic {indexing_maps = [#map18, #map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%120, %131 : tensor<8x4x64x64xf32>, tensor<8x4x64x64xf32>) outs(%132 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc70), %in_41: f32 loc(#loc73), %out: f32 loc(#loc73)):
      %1360 = arith.subf %in, %in_41 : f32 loc(#loc73)
      linalg.yield %1360 : f32 loc(#loc73)
    } -> tensor<8x4x64x64xf32> loc(#loc73)
    %134 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc74)
    %135 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%133 : tensor<8x4x64x64xf32>) outs(%134 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc73), %out: f32 loc(#loc74)):
      %1360 = math.exp %in : f32 loc(#loc74)
      linalg.yield %1360 : f32 loc(#loc74)
    } -> tensor<8x4x64x64xf32> loc(#loc74)
    %136 = tensor.empty() : tensor<8x4x64xf32> loc(#loc56)
    %137 = linalg.fill ins(%cst_8 : f32) outs(%136 : tensor<8x4x64xf32>) -> tensor<8x4x64xf32> loc(#loc56)
    %138 = linalg.generic {indexing_maps = [#map18, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%135 : tensor<8x4x64x64xf32>) outs(%137 : tensor<8x4x64xf32>) {
    ^bb0(%in: f32 loc(#loc56), %out: f32 loc(#loc56)):
      %1360 = arith.addf %out, %in : f32 loc(#loc56)
      linalg.yield %1360 : f32 loc(#loc56)
    } -> tensor<8x4x64xf32> loc(#loc56)
    %139 = tensor.empty() : tensor<8x4x64x1xf32> loc(#loc52)
    %140 = linalg.generic {indexing_maps = [#map13, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%138 : tensor<8x4x64xf32>) outs(%139 : tensor<8x4x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc56), %out: f32 loc(#loc52)):
      linalg.yield %in : f32 loc(#loc52)
    } -> tensor<8x4x64x1xf32> loc(#loc52)
    %141 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc57)
    %142 = linalg.generic {indexing_maps = [#map21, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%140 : tensor<8x4x64x1xf32>) outs(%141 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc52), %out: f32 loc(#loc57)):
      linalg.yield %in : f32 loc(#loc57)
    } -> tensor<8x4x64x64xf32> loc(#loc57)
    %143 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc57)
    %144 = linalg.generic {indexing_maps = [#map18, #map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%135, %142 : tensor<8x4x64x64xf32>, tensor<8x4x64x64xf32>) outs(%143 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc74), %in_41: f32 loc(#loc57), %out: f32 loc(#loc57)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc57)
      linalg.yield %1360 : f32 loc(#loc57)
    } -> tensor<8x4x64x64xf32> loc(#loc57)
    %145 = tensor.empty() : tensor<8x4x64x1xf32> loc(#loc55)
    %146 = linalg.generic {indexing_maps = [#map18, #map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%140, %140 : tensor<8x4x64x1xf32>, tensor<8x4x64x1xf32>) outs(%145 : tensor<8x4x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc52), %in_41: f32 loc(#loc52), %out: f32 loc(#loc55)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc55)
      linalg.yield %1360 : f32 loc(#loc55)
    } -> tensor<8x4x64x1xf32> loc(#loc55)
    %147 = tensor.empty() : tensor<8x4x64x1xf32> loc(#loc52)
    %148 = linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_16 : tensor<f32>) outs(%147 : tensor<8x4x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc52)):
      linalg.yield %in : f32 loc(#loc52)
    } -> tensor<8x4x64x1xf32> loc(#loc52)
    %149 = tensor.empty() : tensor<8x4x64x1xf32> loc(#loc57)
    %150 = linalg.generic {indexing_maps = [#map18, #map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%148, %146 : tensor<8x4x64x1xf32>, tensor<8x4x64x1xf32>) outs(%149 : tensor<8x4x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc52), %in_41: f32 loc(#loc55), %out: f32 loc(#loc57)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc57)
      linalg.yield %1360 : f32 loc(#loc57)
    } -> tensor<8x4x64x1xf32> loc(#loc57)
    %151 = tensor.empty() : tensor<8x4x64x64xbf16> loc(#loc54)
    %152 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%144 : tensor<8x4x64x64xf32>) outs(%151 : tensor<8x4x64x64xbf16>) {
    ^bb0(%in: f32 loc(#loc57), %out: bf16 loc(#loc54)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc54)
      linalg.yield %1360 : bf16 loc(#loc54)
    } -> tensor<8x4x64x64xbf16> loc(#loc54)
    %153 = tensor.empty() : tensor<8x4x32x64xf32> loc(#loc75)
    %154 = linalg.fill ins(%cst_8 : f32) outs(%153 : tensor<8x4x32x64xf32>) -> tensor<8x4x32x64xf32> loc(#loc75)
    %155 = linalg.generic {indexing_maps = [#map22, #map23, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded_26, %152 : tensor<8x64x4x32xbf16>, tensor<8x4x64x64xbf16>) outs(%154 : tensor<8x4x32x64xf32>) {
    ^bb0(%in: bf16 loc(#loc61), %in_41: bf16 loc(#loc54), %out: f32 loc(#loc75)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc61)
      %1361 = arith.extf %in_41 : bf16 to f32 loc(#loc54)
      %1362 = arith.mulf %1360, %1361 : f32 loc(#loc61)
      %1363 = arith.addf %out, %1362 : f32 loc(#loc75)
      linalg.yield %1363 : f32 loc(#loc42)
    } -> tensor<8x4x32x64xf32> loc(#loc75)
    %156 = tensor.empty() : tensor<8x64x4x32xf32> loc(#loc76)
    %157 = linalg.generic {indexing_maps = [#map24, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%155 : tensor<8x4x32x64xf32>) outs(%156 : tensor<8x64x4x32xf32>) {
    ^bb0(%in: f32 loc(#loc75), %out: f32 loc(#loc76)):
      linalg.yield %in : f32 loc(#loc76)
    } -> tensor<8x64x4x32xf32> loc(#loc76)
    %158 = tensor.empty() : tensor<8x64x4x32xbf16> loc(#loc54)
    %159 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%157 : tensor<8x64x4x32xf32>) outs(%158 : tensor<8x64x4x32xbf16>) {
    ^bb0(%in: f32 loc(#loc76), %out: bf16 loc(#loc54)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc54)
      linalg.yield %1360 : bf16 loc(#loc54)
    } -> tensor<8x64x4x32xbf16> loc(#loc54)
    %collapsed = tensor.collapse_shape %159 [[0], [1], [2, 3]] : tensor<8x64x4x32xbf16> into tensor<8x64x128xbf16> loc(#loc61)
    %160 = tensor.empty() : tensor<8x64x128xf32> loc(#loc77)
    %161 = linalg.fill ins(%cst_8 : f32) outs(%160 : tensor<8x64x128xf32>) -> tensor<8x64x128xf32> loc(#loc77)
    %162 = linalg.generic {indexing_maps = [#map11, #map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed, %19 : tensor<8x64x128xbf16>, tensor<128x128xbf16>) outs(%161 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc61), %in_41: bf16 loc(#loc48), %out: f32 loc(#loc77)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc61)
      %1361 = arith.extf %in_41 : bf16 to f32 loc(#loc48)
      %1362 = arith.mulf %1360, %1361 : f32 loc(#loc61)
      %1363 = arith.addf %out, %1362 : f32 loc(#loc77)
      linalg.yield %1363 : f32 loc(#loc42)
    } -> tensor<8x64x128xf32> loc(#loc77)
    %163 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc78)
    %164 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162 : tensor<8x64x128xf32>) outs(%163 : tensor<8x64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc77), %out: bf16 loc(#loc78)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc78)
      linalg.yield %1360 : bf16 loc(#loc78)
    } -> tensor<8x64x128xbf16> loc(#loc78)
    %165 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc50)
    %166 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45, %164 : tensor<8x64x128xbf16>, tensor<8x64x128xbf16>) outs(%165 : tensor<8x64x128xbf16>) {
    ^bb0(%in: bf16 loc(#loc50), %in_41: bf16 loc(#loc78), %out: bf16 loc(#loc50)):
      %1360 = arith.addf %in, %in_41 : bf16 loc(#loc50)
      linalg.yield %1360 : bf16 loc(#loc50)
    } -> tensor<8x64x128xbf16> loc(#loc50)
    %167 = tensor.empty() : tensor<8x64x128xf32> loc(#loc54)
    %168 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166 : tensor<8x64x128xbf16>) outs(%167 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc50), %out: f32 loc(#loc54)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc54)
      linalg.yield %1360 : f32 loc(#loc54)
    } -> tensor<8x64x128xf32> loc(#loc54)
    %169 = tensor.empty() : tensor<8x64x128xf32> loc(#loc55)
    %170 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168, %168 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%169 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc54), %in_41: f32 loc(#loc54), %out: f32 loc(#loc55)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc55)
      linalg.yield %1360 : f32 loc(#loc55)
    } -> tensor<8x64x128xf32> loc(#loc55)
    %171 = tensor.empty() : tensor<8x64xf32> loc(#loc56)
    %172 = linalg.fill ins(%cst_8 : f32) outs(%171 : tensor<8x64xf32>) -> tensor<8x64xf32> loc(#loc56)
    %173 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%170 : tensor<8x64x128xf32>) outs(%172 : tensor<8x64xf32>) {
    ^bb0(%in: f32 loc(#loc56), %out: f32 loc(#loc56)):
      %1360 = arith.addf %out, %in : f32 loc(#loc56)
      linalg.yield %1360 : f32 loc(#loc56)
    } -> tensor<8x64xf32> loc(#loc56)
    %174 = tensor.empty() : tensor<8x64x1xf32> loc(#loc52)
    %175 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173 : tensor<8x64xf32>) outs(%174 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc56), %out: f32 loc(#loc52)):
      linalg.yield %in : f32 loc(#loc52)
    } -> tensor<8x64x1xf32> loc(#loc52)
    %176 = tensor.empty() : tensor<8x64x1xf32> loc(#loc57)
    %177 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_21 : tensor<f32>) outs(%176 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc57)):
      linalg.yield %in : f32 loc(#loc57)
    } -> tensor<8x64x1xf32> loc(#loc57)
    %178 = tensor.empty() : tensor<8x64x1xf32> loc(#loc57)
    %179 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175, %177 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%178 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc52), %in_41: f32 loc(#loc57), %out: f32 loc(#loc57)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc57)
      linalg.yield %1360 : f32 loc(#loc57)
    } -> tensor<8x64x1xf32> loc(#loc57)
    %180 = tensor.empty() : tensor<8x64x1xf32> loc(#loc50)
    %181 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_20 : tensor<f32>) outs(%180 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc50)):
      linalg.yield %in : f32 loc(#loc50)
    } -> tensor<8x64x1xf32> loc(#loc50)
    %182 = tensor.empty() : tensor<8x64x1xf32> loc(#loc50)
    %183 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%179, %181 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%182 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc57), %in_41: f32 loc(#loc50), %out: f32 loc(#loc50)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc50)
      linalg.yield %1360 : f32 loc(#loc50)
    } -> tensor<8x64x1xf32> loc(#loc50)
    %184 = tensor.empty() : tensor<8x64x1xf32> loc(#loc58)
    %185 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%183 : tensor<8x64x1xf32>) outs(%184 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc50), %out: f32 loc(#loc58)):
      %1360 = math.rsqrt %in : f32 loc(#loc58)
      linalg.yield %1360 : f32 loc(#loc58)
    } -> tensor<8x64x1xf32> loc(#loc58)
    %186 = tensor.empty() : tensor<8x64x1xf32> loc(#loc57)
    %187 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185, %183 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%186 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc58), %in_41: f32 loc(#loc50), %out: f32 loc(#loc57)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc57)
      linalg.yield %1360 : f32 loc(#loc57)
    } -> tensor<8x64x1xf32> loc(#loc57)
    %188 = tensor.empty() : tensor<8x64x1xf32> loc(#loc55)
    %189 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_19 : tensor<f32>) outs(%188 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc55)):
      linalg.yield %in : f32 loc(#loc55)
    } -> tensor<8x64x1xf32> loc(#loc55)
    %190 = tensor.empty() : tensor<8x64x1xf32> loc(#loc55)
    %191 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%189, %187 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%190 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc55), %in_41: f32 loc(#loc57), %out: f32 loc(#loc55)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc55)
      linalg.yield %1360 : f32 loc(#loc55)
    } -> tensor<8x64x1xf32> loc(#loc55)
    %192 = tensor.empty() : tensor<8x64x128xf32> loc(#loc55)
    %193 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185 : tensor<8x64x1xf32>) outs(%192 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc58), %out: f32 loc(#loc55)):
      linalg.yield %in : f32 loc(#loc55)
    } -> tensor<8x64x128xf32> loc(#loc55)
    %194 = tensor.empty() : tensor<8x64x128xf32> loc(#loc55)
    %195 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168, %193 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%194 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc54), %in_41: f32 loc(#loc55), %out: f32 loc(#loc55)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc55)
      linalg.yield %1360 : f32 loc(#loc55)
    } -> tensor<8x64x128xf32> loc(#loc55)
    %196 = tensor.empty() : tensor<128xf32> loc(#loc54)
    %197 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%7 : tensor<128xbf16>) outs(%196 : tensor<128xf32>) {
    ^bb0(%in: bf16 loc(#loc48), %out: f32 loc(#loc54)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc54)
      linalg.yield %1360 : f32 loc(#loc54)
    } -> tensor<128xf32> loc(#loc54)
    %198 = tensor.empty() : tensor<1x1x128xf32> loc(#loc52)
    %199 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%197 : tensor<128xf32>) outs(%198 : tensor<1x1x128xf32>) {
    ^bb0(%in: f32 loc(#loc54), %out: f32 loc(#loc52)):
      linalg.yield %in : f32 loc(#loc52)
    } -> tensor<1x1x128xf32> loc(#loc52)
    %200 = tensor.empty() : tensor<8x64x128xf32> loc(#loc55)
    %201 = linalg.generic {indexing_maps = [#map10, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%199 : tensor<1x1x128xf32>) outs(%200 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc52), %out: f32 loc(#loc55)):
      linalg.yield %in : f32 loc(#loc55)
    } -> tensor<8x64x128xf32> loc(#loc55)
    %202 = tensor.empty() : tensor<8x64x128xf32> loc(#loc55)
    %203 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%195, %201 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%202 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc55), %in_41: f32 loc(#loc55), %out: f32 loc(#loc55)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc55)
      linalg.yield %1360 : f32 loc(#loc55)
    } -> tensor<8x64x128xf32> loc(#loc55)
    %204 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc54)
    %205 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%203 : tensor<8x64x128xf32>) outs(%204 : tensor<8x64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc55), %out: bf16 loc(#loc54)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc54)
      linalg.yield %1360 : bf16 loc(#loc54)
    } -> tensor<8x64x128xbf16> loc(#loc54)
    %206 = tensor.empty() : tensor<8x64x384xf32> loc(#loc79)
    %207 = linalg.fill ins(%cst_8 : f32) outs(%206 : tensor<8x64x384xf32>) -> tensor<8x64x384xf32> loc(#loc79)
    %208 = linalg.generic {indexing_maps = [#map11, #map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%205, %11 : tensor<8x64x128xbf16>, tensor<128x384xbf16>) outs(%207 : tensor<8x64x384xf32>) {
    ^bb0(%in: bf16 loc(#loc54), %in_41: bf16 loc(#loc48), %out: f32 loc(#loc79)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc54)
      %1361 = arith.extf %in_41 : bf16 to f32 loc(#loc48)
      %1362 = arith.mulf %1360, %1361 : f32 loc(#loc54)
      %1363 = arith.addf %out, %1362 : f32 loc(#loc79)
      linalg.yield %1363 : f32 loc(#loc42)
    } -> tensor<8x64x384xf32> loc(#loc79)
    %209 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc80)
    %210 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%208 : tensor<8x64x384xf32>) outs(%209 : tensor<8x64x384xbf16>) {
    ^bb0(%in: f32 loc(#loc79), %out: bf16 loc(#loc80)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc80)
      linalg.yield %1360 : bf16 loc(#loc80)
    } -> tensor<8x64x384xbf16> loc(#loc80)
    %211 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc81)
    %212 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%210 : tensor<8x64x384xbf16>) outs(%211 : tensor<8x64x384xbf16>) {
    ^bb0(%in: bf16 loc(#loc80), %out: bf16 loc(#loc81)):
      %1360 = arith.negf %in : bf16 loc(#loc81)
      linalg.yield %1360 : bf16 loc(#loc81)
    } -> tensor<8x64x384xbf16> loc(#loc81)
    %213 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc82)
    %214 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%212 : tensor<8x64x384xbf16>) outs(%213 : tensor<8x64x384xbf16>) {
    ^bb0(%in: bf16 loc(#loc81), %out: bf16 loc(#loc82)):
      %1360 = math.exp %in : bf16 loc(#loc82)
      linalg.yield %1360 : bf16 loc(#loc82)
    } -> tensor<8x64x384xbf16> loc(#loc82)
    %215 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc83)
    %216 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<bf16>) outs(%215 : tensor<8x64x384xbf16>) {
    ^bb0(%in: bf16 loc(#loc45), %out: bf16 loc(#loc83)):
      linalg.yield %in : bf16 loc(#loc83)
    } -> tensor<8x64x384xbf16> loc(#loc83)
    %217 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc83)
    %218 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%216, %214 : tensor<8x64x384xbf16>, tensor<8x64x384xbf16>) outs(%217 : tensor<8x64x384xbf16>) {
    ^bb0(%in: bf16 loc(#loc83), %in_41: bf16 loc(#loc82), %out: bf16 loc(#loc83)):
      %1360 = arith.addf %in, %in_41 : bf16 loc(#loc83)
      linalg.yield %1360 : bf16 loc(#loc83)
    } -> tensor<8x64x384xbf16> loc(#loc83)
    %219 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc84)
    %220 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<bf16>) outs(%219 : tensor<8x64x384xbf16>) {
    ^bb0(%in: bf16 loc(#loc45), %out: bf16 loc(#loc84)):
      linalg.yield %in : bf16 loc(#loc84)
    } -> tensor<8x64x384xbf16> loc(#loc84)
    %221 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc84)
    %222 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%220, %218 : tensor<8x64x384xbf16>, tensor<8x64x384xbf16>) outs(%221 : tensor<8x64x384xbf16>) {
    ^bb0(%in: bf16 loc(#loc84), %in_41: bf16 loc(#loc83), %out: bf16 loc(#loc84)):
      %1360 = arith.divf %in, %in_41 : bf16 loc(#loc84)
      linalg.yield %1360 : bf16 loc(#loc84)
    } -> tensor<8x64x384xbf16> loc(#loc84)
    %223 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc85)
    %224 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<bf16>) outs(%223 : tensor<8x64x384xbf16>) {
    ^bb0(%in: bf16 loc(#loc45), %out: bf16 loc(#loc85)):
      linalg.yield %in : bf16 loc(#loc85)
    } -> tensor<8x64x384xbf16> loc(#loc85)
    %225 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc85)
    %226 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%224, %222 : tensor<8x64x384xbf16>, tensor<8x64x384xbf16>) outs(%225 : tensor<8x64x384xbf16>) {
    ^bb0(%in: bf16 loc(#loc85), %in_41: bf16 loc(#loc84), %out: bf16 loc(#loc85)):
      %1360 = arith.subf %in, %in_41 : bf16 loc(#loc85)
      linalg.yield %1360 : bf16 loc(#loc85)
    } -> tensor<8x64x384xbf16> loc(#loc85)
    %227 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc86)
    %228 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%222, %226 : tensor<8x64x384xbf16>, tensor<8x64x384xbf16>) outs(%227 : tensor<8x64x384xbf16>) {
    ^bb0(%in: bf16 loc(#loc84), %in_41: bf16 loc(#loc85), %out: bf16 loc(#loc86)):
      %1360 = arith.mulf %in, %in_41 : bf16 loc(#loc86)
      linalg.yield %1360 : bf16 loc(#loc86)
    } -> tensor<8x64x384xbf16> loc(#loc86)
    %229 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc86)
    %230 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%210, %222 : tensor<8x64x384xbf16>, tensor<8x64x384xbf16>) outs(%229 : tensor<8x64x384xbf16>) {
    ^bb0(%in: bf16 loc(#loc80), %in_41: bf16 loc(#loc84), %out: bf16 loc(#loc86)):
      %1360 = arith.mulf %in, %in_41 : bf16 loc(#loc86)
      linalg.yield %1360 : bf16 loc(#loc86)
    } -> tensor<8x64x384xbf16> loc(#loc86)
    %231 = tensor.empty() : tensor<8x64x384xf32> loc(#loc87)
    %232 = linalg.fill ins(%cst_8 : f32) outs(%231 : tensor<8x64x384xf32>) -> tensor<8x64x384xf32> loc(#loc87)
    %233 = linalg.generic {indexing_maps = [#map11, #map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%205, %23 : tensor<8x64x128xbf16>, tensor<128x384xbf16>) outs(%232 : tensor<8x64x384xf32>) {
    ^bb0(%in: bf16 loc(#loc54), %in_41: bf16 loc(#loc48), %out: f32 loc(#loc87)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc54)
      %1361 = arith.extf %in_41 : bf16 to f32 loc(#loc48)
      %1362 = arith.mulf %1360, %1361 : f32 loc(#loc54)
      %1363 = arith.addf %out, %1362 : f32 loc(#loc87)
      linalg.yield %1363 : f32 loc(#loc42)
    } -> tensor<8x64x384xf32> loc(#loc87)
    %234 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc88)
    %235 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%233 : tensor<8x64x384xf32>) outs(%234 : tensor<8x64x384xbf16>) {
    ^bb0(%in: f32 loc(#loc87), %out: bf16 loc(#loc88)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc88)
      linalg.yield %1360 : bf16 loc(#loc88)
    } -> tensor<8x64x384xbf16> loc(#loc88)
    %236 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc55)
    %237 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%230, %235 : tensor<8x64x384xbf16>, tensor<8x64x384xbf16>) outs(%236 : tensor<8x64x384xbf16>) {
    ^bb0(%in: bf16 loc(#loc86), %in_41: bf16 loc(#loc88), %out: bf16 loc(#loc55)):
      %1360 = arith.mulf %in, %in_41 : bf16 loc(#loc55)
      linalg.yield %1360 : bf16 loc(#loc55)
    } -> tensor<8x64x384xbf16> loc(#loc55)
    %238 = tensor.empty() : tensor<8x64x128xf32> loc(#loc89)
    %239 = linalg.fill ins(%cst_8 : f32) outs(%238 : tensor<8x64x128xf32>) -> tensor<8x64x128xf32> loc(#loc89)
    %240 = linalg.generic {indexing_maps = [#map11, #map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%237, %1 : tensor<8x64x384xbf16>, tensor<384x128xbf16>) outs(%239 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc55), %in_41: bf16 loc(#loc48), %out: f32 loc(#loc89)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc55)
      %1361 = arith.extf %in_41 : bf16 to f32 loc(#loc48)
      %1362 = arith.mulf %1360, %1361 : f32 loc(#loc55)
      %1363 = arith.addf %out, %1362 : f32 loc(#loc89)
      linalg.yield %1363 : f32 loc(#loc42)
    } -> tensor<8x64x128xf32> loc(#loc89)
    %241 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc90)
    %242 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%240 : tensor<8x64x128xf32>) outs(%241 : tensor<8x64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc89), %out: bf16 loc(#loc90)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc90)
      linalg.yield %1360 : bf16 loc(#loc90)
    } -> tensor<8x64x128xbf16> loc(#loc90)
    %243 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc50)
    %244 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166, %242 : tensor<8x64x128xbf16>, tensor<8x64x128xbf16>) outs(%243 : tensor<8x64x128xbf16>) {
    ^bb0(%in: bf16 loc(#loc50), %in_41: bf16 loc(#loc90), %out: bf16 loc(#loc50)):
      %1360 = arith.addf %in, %in_41 : bf16 loc(#loc50)
      linalg.yield %1360 : bf16 loc(#loc50)
    } -> tensor<8x64x128xbf16> loc(#loc50)
    %245 = tensor.empty() : tensor<8x64x128xf32> loc(#loc54)
    %246 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%244 : tensor<8x64x128xbf16>) outs(%245 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc50), %out: f32 loc(#loc54)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc54)
      linalg.yield %1360 : f32 loc(#loc54)
    } -> tensor<8x64x128xf32> loc(#loc54)
    %247 = tensor.empty() : tensor<8x64x128xf32> loc(#loc55)
    %248 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%246, %246 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%247 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc54), %in_41: f32 loc(#loc54), %out: f32 loc(#loc55)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc55)
      linalg.yield %1360 : f32 loc(#loc55)
    } -> tensor<8x64x128xf32> loc(#loc55)
    %249 = tensor.empty() : tensor<8x64xf32> loc(#loc56)
    %250 = linalg.fill ins(%cst_8 : f32) outs(%249 : tensor<8x64xf32>) -> tensor<8x64xf32> loc(#loc56)
    %251 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%248 : tensor<8x64x128xf32>) outs(%250 : tensor<8x64xf32>) {
    ^bb0(%in: f32 loc(#loc56), %out: f32 loc(#loc56)):
      %1360 = arith.addf %out, %in : f32 loc(#loc56)
      linalg.yield %1360 : f32 loc(#loc56)
    } -> tensor<8x64xf32> loc(#loc56)
    %252 = tensor.empty() : tensor<8x64x1xf32> loc(#loc52)
    %253 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%251 : tensor<8x64xf32>) outs(%252 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc56), %out: f32 loc(#loc52)):
      linalg.yield %in : f32 loc(#loc52)
    } -> tensor<8x64x1xf32> loc(#loc52)
    %254 = tensor.empty() : tensor<8x64x1xf32> loc(#loc57)
    %255 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_21 : tensor<f32>) outs(%254 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc57)):
      linalg.yield %in : f32 loc(#loc57)
    } -> tensor<8x64x1xf32> loc(#loc57)
    %256 = tensor.empty() : tensor<8x64x1xf32> loc(#loc57)
    %257 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%253, %255 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%256 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc52), %in_41: f32 loc(#loc57), %out: f32 loc(#loc57)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc57)
      linalg.yield %1360 : f32 loc(#loc57)
    } -> tensor<8x64x1xf32> loc(#loc57)
    %258 = tensor.empty() : tensor<8x64x1xf32> loc(#loc50)
    %259 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_20 : tensor<f32>) outs(%258 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc50)):
      linalg.yield %in : f32 loc(#loc50)
    } -> tensor<8x64x1xf32> loc(#loc50)
    %260 = tensor.empty() : tensor<8x64x1xf32> loc(#loc50)
    %261 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%257, %259 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%260 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc57), %in_41: f32 loc(#loc50), %out: f32 loc(#loc50)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc50)
      linalg.yield %1360 : f32 loc(#loc50)
    } -> tensor<8x64x1xf32> loc(#loc50)
    %262 = tensor.empty() : tensor<8x64x1xf32> loc(#loc58)
    %263 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%261 : tensor<8x64x1xf32>) outs(%262 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc50), %out: f32 loc(#loc58)):
      %1360 = math.rsqrt %in : f32 loc(#loc58)
      linalg.yield %1360 : f32 loc(#loc58)
    } -> tensor<8x64x1xf32> loc(#loc58)
    %264 = tensor.empty() : tensor<8x64x1xf32> loc(#loc57)
    %265 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%263, %261 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%264 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc58), %in_41: f32 loc(#loc50), %out: f32 loc(#loc57)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc57)
      linalg.yield %1360 : f32 loc(#loc57)
    } -> tensor<8x64x1xf32> loc(#loc57)
    %266 = tensor.empty() : tensor<8x64x1xf32> loc(#loc55)
    %267 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_19 : tensor<f32>) outs(%266 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc55)):
      linalg.yield %in : f32 loc(#loc55)
    } -> tensor<8x64x1xf32> loc(#loc55)
    %268 = tensor.empty() : tensor<8x64x1xf32> loc(#loc55)
    %269 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%267, %265 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%268 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc55), %in_41: f32 loc(#loc57), %out: f32 loc(#loc55)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc55)
      linalg.yield %1360 : f32 loc(#loc55)
    } -> tensor<8x64x1xf32> loc(#loc55)
    %270 = tensor.empty() : tensor<8x64x128xf32> loc(#loc55)
    %271 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%263 : tensor<8x64x1xf32>) outs(%270 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc58), %out: f32 loc(#loc55)):
      linalg.yield %in : f32 loc(#loc55)
    } -> tensor<8x64x128xf32> loc(#loc55)
    %272 = tensor.empty() : tensor<8x64x128xf32> loc(#loc55)
    %273 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%246, %271 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%272 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc54), %in_41: f32 loc(#loc55), %out: f32 loc(#loc55)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc55)
      linalg.yield %1360 : f32 loc(#loc55)
    } -> tensor<8x64x128xf32> loc(#loc55)
    %274 = tensor.empty() : tensor<128xf32> loc(#loc54)
    %275 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%9 : tensor<128xbf16>) outs(%274 : tensor<128xf32>) {
    ^bb0(%in: bf16 loc(#loc48), %out: f32 loc(#loc54)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc54)
      linalg.yield %1360 : f32 loc(#loc54)
    } -> tensor<128xf32> loc(#loc54)
    %276 = tensor.empty() : tensor<1x1x128xf32> loc(#loc52)
    %277 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%275 : tensor<128xf32>) outs(%276 : tensor<1x1x128xf32>) {
    ^bb0(%in: f32 loc(#loc54), %out: f32 loc(#loc52)):
      linalg.yield %in : f32 loc(#loc52)
    } -> tensor<1x1x128xf32> loc(#loc52)
    %278 = tensor.empty() : tensor<8x64x128xf32> loc(#loc55)
    %279 = linalg.generic {indexing_maps = [#map10, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%277 : tensor<1x1x128xf32>) outs(%278 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc52), %out: f32 loc(#loc55)):
      linalg.yield %in : f32 loc(#loc55)
    } -> tensor<8x64x128xf32> loc(#loc55)
    %280 = tensor.empty() : tensor<8x64x128xf32> loc(#loc55)
    %281 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%273, %279 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%280 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc55), %in_41: f32 loc(#loc55), %out: f32 loc(#loc55)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc55)
      linalg.yield %1360 : f32 loc(#loc55)
    } -> tensor<8x64x128xf32> loc(#loc55)
    %282 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc54)
    %283 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%281 : tensor<8x64x128xf32>) outs(%282 : tensor<8x64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc55), %out: bf16 loc(#loc54)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc54)
      linalg.yield %1360 : bf16 loc(#loc54)
    } -> tensor<8x64x128xbf16> loc(#loc54)
    %284 = tensor.empty() : tensor<8x64x96xf32> loc(#loc91)
    %285 = linalg.fill ins(%cst_8 : f32) outs(%284 : tensor<8x64x96xf32>) -> tensor<8x64x96xf32> loc(#loc91)
    %286 = linalg.generic {indexing_maps = [#map11, #map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%283, %13 : tensor<8x64x128xbf16>, tensor<128x96xbf16>) outs(%285 : tensor<8x64x96xf32>) {
    ^bb0(%in: bf16 loc(#loc54), %in_41: bf16 loc(#loc48), %out: f32 loc(#loc91)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc54)
      %1361 = arith.extf %in_41 : bf16 to f32 loc(#loc48)
      %1362 = arith.mulf %1360, %1361 : f32 loc(#loc54)
      %1363 = arith.addf %out, %1362 : f32 loc(#loc91)
      linalg.yield %1363 : f32 loc(#loc42)
    } -> tensor<8x64x96xf32> loc(#loc91)
    %287 = tensor.empty() : tensor<8x64x1xi32> loc(#loc92)
    %288 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg41 : tensor<8x64xi32>) outs(%287 : tensor<8x64x1xi32>) {
    ^bb0(%in: i32 loc(#loc41), %out: i32 loc(#loc92)):
      linalg.yield %in : i32 loc(#loc92)
    } -> tensor<8x64x1xi32> loc(#loc92)
    %289 = tensor.empty() : tensor<1x1x96xi32> loc(#loc93)
    %290 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel", "parallel"]} outs(%289 : tensor<1x1x96xi32>) {
    ^bb0(%out: i32 loc(#loc93)):
      %1360 = linalg.index 2 : index loc(#loc93)
      %1361 = arith.index_cast %1360 : index to i32 loc(#loc93)
      linalg.yield %1361 : i32 loc(#loc93)
    } -> tensor<1x1x96xi32> loc(#loc93)
    %291 = tensor.empty() : tensor<8x64x96xi32> loc(#loc94)
    %292 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%288 : tensor<8x64x1xi32>) outs(%291 : tensor<8x64x96xi32>) {
    ^bb0(%in: i32 loc(#loc92), %out: i32 loc(#loc94)):
      linalg.yield %in : i32 loc(#loc94)
    } -> tensor<8x64x96xi32> loc(#loc94)
    %293 = tensor.empty() : tensor<8x64x96xi32> loc(#loc94)
    %294 = linalg.generic {indexing_maps = [#map10, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%290 : tensor<1x1x96xi32>) outs(%293 : tensor<8x64x96xi32>) {
    ^bb0(%in: i32 loc(#loc93), %out: i32 loc(#loc94)):
      linalg.yield %in : i32 loc(#loc94)
    } -> tensor<8x64x96xi32> loc(#loc94)
    %295 = tensor.empty() : tensor<8x64x96xi1> loc(#loc94)
    %296 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%292, %294 : tensor<8x64x96xi32>, tensor<8x64x96xi32>) outs(%295 : tensor<8x64x96xi1>) {
    ^bb0(%in: i32 loc(#loc94), %in_41: i32 loc(#loc94), %out: i1 loc(#loc94)):
      %1360 = arith.cmpi eq, %in, %in_41 : i32 loc(#loc94)
      linalg.yield %1360 : i1 loc(#loc94)
    } -> tensor<8x64x96xi1> loc(#loc94)
    %297 = tensor.empty() : tensor<8x64x96xf32> loc(#loc95)
    %298 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%296 : tensor<8x64x96xi1>) outs(%297 : tensor<8x64x96xf32>) {
    ^bb0(%in: i1 loc(#loc94), %out: f32 loc(#loc95)):
      %1360 = arith.uitofp %in : i1 to f32 loc(#loc95)
      linalg.yield %1360 : f32 loc(#loc95)
    } -> tensor<8x64x96xf32> loc(#loc95)
    %299 = tensor.empty() : tensor<8x64xf32> loc(#loc96)
    %300 = linalg.fill ins(%cst_6 : f32) outs(%299 : tensor<8x64xf32>) -> tensor<8x64xf32> loc(#loc96)
    %301 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%286 : tensor<8x64x96xf32>) outs(%300 : tensor<8x64xf32>) {
    ^bb0(%in: f32 loc(#loc97), %out: f32 loc(#loc97)):
      %1360 = arith.maximumf %out, %in : f32 loc(#loc96)
      linalg.yield %1360 : f32 loc(#loc96)
    } -> tensor<8x64xf32> loc(#loc96)
    %302 = tensor.empty() : tensor<8x64xf32> loc(#loc98)
    %303 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_17 : tensor<f32>) outs(%302 : tensor<8x64xf32>) {
    ^bb0(%in: f32 loc(#loc99), %out: f32 loc(#loc98)):
      linalg.yield %in : f32 loc(#loc98)
    } -> tensor<8x64xf32> loc(#loc98)
    %304 = tensor.empty() : tensor<8x64xf32> loc(#loc98)
    %305 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%303, %301 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%304 : tensor<8x64xf32>) {
    ^bb0(%in: f32 loc(#loc98), %in_41: f32 loc(#loc96), %out: f32 loc(#loc98)):
      %1360 = arith.maximumf %in, %in_41 : f32 loc(#loc98)
      linalg.yield %1360 : f32 loc(#loc98)
    } -> tensor<8x64xf32> loc(#loc98)
    %306 = tensor.empty() : tensor<8x64x1xf32> loc(#loc100)
    %307 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%305 : tensor<8x64xf32>) outs(%306 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc98), %out: f32 loc(#loc100)):
      linalg.yield %in : f32 loc(#loc100)
    } -> tensor<8x64x1xf32> loc(#loc100)
    %308 = tensor.empty() : tensor<8x64x96xf32> loc(#loc101)
    %309 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%307 : tensor<8x64x1xf32>) outs(%308 : tensor<8x64x96xf32>) {
    ^bb0(%in: f32 loc(#loc100), %out: f32 loc(#loc101)):
      linalg.yield %in : f32 loc(#loc101)
    } -> tensor<8x64x96xf32> loc(#loc101)
    %310 = tensor.empty() : tensor<8x64x96xf32> loc(#loc101)
    %311 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%286, %309 : tensor<8x64x96xf32>, tensor<8x64x96xf32>) outs(%310 : tensor<8x64x96xf32>) {
    ^bb0(%in: f32 loc(#loc91), %in_41: f32 loc(#loc101), %out: f32 loc(#loc101)):
      %1360 = arith.subf %in, %in_41 : f32 loc(#loc101)
      linalg.yield %1360 : f32 loc(#loc101)
    } -> tensor<8x64x96xf32> loc(#loc101)
    %312 = tensor.empty() : tensor<8x64x96xf32> loc(#loc102)
    %313 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%311 : tensor<8x64x96xf32>) outs(%312 : tensor<8x64x96xf32>) {
    ^bb0(%in: f32 loc(#loc101), %out: f32 loc(#loc102)):
      %1360 = math.exp %in : f32 loc(#loc102)
      linalg.yield %1360 : f32 loc(#loc102)
    } -> tensor<8x64x96xf32> loc(#loc102)
    %314 = tensor.empty() : tensor<8x64xf32> loc(#loc103)
    %315 = linalg.fill ins(%cst_8 : f32) outs(%314 : tensor<8x64xf32>) -> tensor<8x64xf32> loc(#loc103)
    %316 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%313 : tensor<8x64x96xf32>) outs(%315 : tensor<8x64xf32>) {
    ^bb0(%in: f32 loc(#loc104), %out: f32 loc(#loc104)):
      %1360 = arith.addf %out, %in : f32 loc(#loc103)
      linalg.yield %1360 : f32 loc(#loc103)
    } -> tensor<8x64xf32> loc(#loc103)
    %317 = tensor.empty() : tensor<8x64x1xf32> loc(#loc100)
    %318 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%316 : tensor<8x64xf32>) outs(%317 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc103), %out: f32 loc(#loc100)):
      linalg.yield %in : f32 loc(#loc100)
    } -> tensor<8x64x1xf32> loc(#loc100)
    %319 = tensor.empty() : tensor<8x64x1xf32> loc(#loc105)
    %320 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%318 : tensor<8x64x1xf32>) outs(%319 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc100), %out: f32 loc(#loc105)):
      %1360 = math.log %in : f32 loc(#loc105)
      linalg.yield %1360 : f32 loc(#loc105)
    } -> tensor<8x64x1xf32> loc(#loc105)
    %321 = tensor.empty() : tensor<8x64x96xf32> loc(#loc101)
    %322 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%320 : tensor<8x64x1xf32>) outs(%321 : tensor<8x64x96xf32>) {
    ^bb0(%in: f32 loc(#loc105), %out: f32 loc(#loc101)):
      linalg.yield %in : f32 loc(#loc101)
    } -> tensor<8x64x96xf32> loc(#loc101)
    %323 = tensor.empty() : tensor<8x64x96xf32> loc(#loc101)
    %324 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%311, %322 : tensor<8x64x96xf32>, tensor<8x64x96xf32>) outs(%323 : tensor<8x64x96xf32>) {
    ^bb0(%in: f32 loc(#loc101), %in_41: f32 loc(#loc101), %out: f32 loc(#loc101)):
      %1360 = arith.subf %in, %in_41 : f32 loc(#loc101)
      linalg.yield %1360 : f32 loc(#loc101)
    } -> tensor<8x64x96xf32> loc(#loc101)
    %325 = tensor.empty() : tensor<8x64x96xf32> loc(#loc55)
    %326 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%324, %298 : tensor<8x64x96xf32>, tensor<8x64x96xf32>) outs(%325 : tensor<8x64x96xf32>) {
    ^bb0(%in: f32 loc(#loc101), %in_41: f32 loc(#loc95), %out: f32 loc(#loc55)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc55)
      linalg.yield %1360 : f32 loc(#loc55)
    } -> tensor<8x64x96xf32> loc(#loc55)
    %327 = tensor.empty() : tensor<8x64xf32> loc(#loc56)
    %328 = linalg.fill ins(%cst_8 : f32) outs(%327 : tensor<8x64xf32>) -> tensor<8x64xf32> loc(#loc56)
    %329 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%326 : tensor<8x64x96xf32>) outs(%328 : tensor<8x64xf32>) {
    ^bb0(%in: f32 loc(#loc56), %out: f32 loc(#loc56)):
      %1360 = arith.addf %out, %in : f32 loc(#loc56)
      linalg.yield %1360 : f32 loc(#loc56)
    } -> tensor<8x64xf32> loc(#loc56)
    %330 = tensor.empty() : tensor<f32> loc(#loc56)
    %331 = linalg.fill ins(%cst_8 : f32) outs(%330 : tensor<f32>) -> tensor<f32> loc(#loc56)
    %332 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["reduction", "reduction"]} ins(%329 : tensor<8x64xf32>) outs(%331 : tensor<f32>) {
    ^bb0(%in: f32 loc(#loc56), %out: f32 loc(#loc56)):
      %1360 = arith.addf %out, %in : f32 loc(#loc56)
      linalg.yield %1360 : f32 loc(#loc56)
    } -> tensor<f32> loc(#loc56)
    %333 = tensor.empty() : tensor<f32> loc(#loc57)
    %334 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%332 : tensor<f32>) outs(%333 : tensor<f32>) {
    ^bb0(%in: f32 loc(#loc56), %out: f32 loc(#loc57)):
      %1360 = arith.divf %in, %cst_4 : f32 loc(#loc57)
      linalg.yield %1360 : f32 loc(#loc57)
    } -> tensor<f32> loc(#loc57)
    %335 = tensor.empty() : tensor<f32> loc(#loc106)
    %336 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%334 : tensor<f32>) outs(%335 : tensor<f32>) {
    ^bb0(%in: f32 loc(#loc57), %out: f32 loc(#loc106)):
      %1360 = arith.negf %in : f32 loc(#loc106)
      linalg.yield %1360 : f32 loc(#loc106)
    } -> tensor<f32> loc(#loc106)
    %337 = tensor.empty() : tensor<f32> loc(#loc107)
    %338 = linalg.generic {indexing_maps = [#map19], iterator_types = []} outs(%337 : tensor<f32>) {
    ^bb0(%out: f32 loc(#loc107)):
      linalg.yield %cst : f32 loc(#loc107)
    } -> tensor<f32> loc(#loc107)
    %339 = tensor.empty() : tensor<f32> loc(#loc108)
    %340 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%338 : tensor<f32>) outs(%339 : tensor<f32>) {
    ^bb0(%in: f32 loc(#loc107), %out: f32 loc(#loc108)):
      %1360 = arith.divf %in, %cst_4 : f32 loc(#loc108)
      linalg.yield %1360 : f32 loc(#loc108)
    } -> tensor<f32> loc(#loc108)
    %341 = tensor.empty() : tensor<8x64xf32> loc(#loc109)
    %342 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%340 : tensor<f32>) outs(%341 : tensor<8x64xf32>) {
    ^bb0(%in: f32 loc(#loc108), %out: f32 loc(#loc109)):
      linalg.yield %in : f32 loc(#loc109)
    } -> tensor<8x64xf32> loc(#loc109)
    %343 = tensor.empty() : tensor<8x64x96xf32> loc(#loc109)
    %344 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%342 : tensor<8x64xf32>) outs(%343 : tensor<8x64x96xf32>) {
    ^bb0(%in: f32 loc(#loc109), %out: f32 loc(#loc109)):
      linalg.yield %in : f32 loc(#loc109)
    } -> tensor<8x64x96xf32> loc(#loc109)
    %345 = tensor.empty() : tensor<8x64x96xf32> loc(#loc110)
    %346 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%344, %298 : tensor<8x64x96xf32>, tensor<8x64x96xf32>) outs(%345 : tensor<8x64x96xf32>) {
    ^bb0(%in: f32 loc(#loc109), %in_41: f32 loc(#loc95), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x96xf32> loc(#loc110)
    %347 = tensor.empty() : tensor<8x64x96xf32> loc(#loc111)
    %348 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%346 : tensor<8x64x96xf32>) outs(%347 : tensor<8x64x96xf32>) {
    ^bb0(%in: f32 loc(#loc110), %out: f32 loc(#loc111)):
      %1360 = arith.negf %in : f32 loc(#loc111)
      linalg.yield %1360 : f32 loc(#loc111)
    } -> tensor<8x64x96xf32> loc(#loc111)
    %349 = tensor.empty() : tensor<8x64xf32> loc(#loc112)
    %350 = linalg.fill ins(%cst_8 : f32) outs(%349 : tensor<8x64xf32>) -> tensor<8x64xf32> loc(#loc112)
    %351 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%348 : tensor<8x64x96xf32>) outs(%350 : tensor<8x64xf32>) {
    ^bb0(%in: f32 loc(#loc104), %out: f32 loc(#loc104)):
      %1360 = arith.addf %out, %in : f32 loc(#loc112)
      linalg.yield %1360 : f32 loc(#loc112)
    } -> tensor<8x64xf32> loc(#loc112)
    %expanded_27 = tensor.expand_shape %351 [[0], [1, 2]] output_shape [8, 64, 1] : tensor<8x64xf32> into tensor<8x64x1xf32> loc(#loc113)
    %352 = tensor.empty() : tensor<8x64x1xf32> loc(#loc114)
    %353 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_27, %318 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%352 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc113), %in_41: f32 loc(#loc100), %out: f32 loc(#loc114)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc114)
      linalg.yield %1360 : f32 loc(#loc114)
    } -> tensor<8x64x1xf32> loc(#loc114)
    %354 = tensor.empty() : tensor<8x64xf32> loc(#loc112)
    %355 = linalg.fill ins(%cst_8 : f32) outs(%354 : tensor<8x64xf32>) -> tensor<8x64xf32> loc(#loc112)
    %356 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%353 : tensor<8x64x1xf32>) outs(%355 : tensor<8x64xf32>) {
    ^bb0(%in: f32 loc(#loc104), %out: f32 loc(#loc104)):
      %1360 = arith.addf %out, %in : f32 loc(#loc112)
      linalg.yield %1360 : f32 loc(#loc112)
    } -> tensor<8x64xf32> loc(#loc112)
    %357 = tensor.empty() : tensor<8x64x96xf32> loc(#loc115)
    %358 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%356 : tensor<8x64xf32>) outs(%357 : tensor<8x64x96xf32>) {
    ^bb0(%in: f32 loc(#loc112), %out: f32 loc(#loc115)):
      linalg.yield %in : f32 loc(#loc115)
    } -> tensor<8x64x96xf32> loc(#loc115)
    %359 = tensor.empty() : tensor<8x64x96xf32> loc(#loc116)
    %360 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%358, %313 : tensor<8x64x96xf32>, tensor<8x64x96xf32>) outs(%359 : tensor<8x64x96xf32>) {
    ^bb0(%in: f32 loc(#loc115), %in_41: f32 loc(#loc102), %out: f32 loc(#loc116)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc116)
      linalg.yield %1360 : f32 loc(#loc116)
    } -> tensor<8x64x96xf32> loc(#loc116)
    %361 = tensor.empty() : tensor<8x64x96xf32> loc(#loc117)
    %362 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%346, %360 : tensor<8x64x96xf32>, tensor<8x64x96xf32>) outs(%361 : tensor<8x64x96xf32>) {
    ^bb0(%in: f32 loc(#loc110), %in_41: f32 loc(#loc116), %out: f32 loc(#loc117)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc117)
      linalg.yield %1360 : f32 loc(#loc117)
    } -> tensor<8x64x96xf32> loc(#loc117)
    %363 = tensor.empty() : tensor<8x64x128xf32> loc(#loc118)
    %364 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%283 : tensor<8x64x128xbf16>) outs(%363 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc54), %out: f32 loc(#loc118)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc118)
      linalg.yield %1360 : f32 loc(#loc118)
    } -> tensor<8x64x128xf32> loc(#loc118)
    %365 = tensor.empty() : tensor<96x128xf32> loc(#loc118)
    %366 = linalg.fill ins(%cst_8 : f32) outs(%365 : tensor<96x128xf32>) -> tensor<96x128xf32> loc(#loc118)
    %367 = linalg.generic {indexing_maps = [#map25, #map26, #map27], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%362, %364 : tensor<8x64x96xf32>, tensor<8x64x128xf32>) outs(%366 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc118), %in_41: f32 loc(#loc118), %out: f32 loc(#loc118)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc118)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc118)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<96x128xf32> loc(#loc118)
    %368 = tensor.empty() : tensor<128x96xf32> loc(#loc119)
    %369 = linalg.generic {indexing_maps = [#map28, #map], iterator_types = ["parallel", "parallel"]} ins(%367 : tensor<96x128xf32>) outs(%368 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc118), %out: f32 loc(#loc119)):
      linalg.yield %in : f32 loc(#loc119)
    } -> tensor<128x96xf32> loc(#loc119)
    %370 = tensor.empty() : tensor<128x96xbf16> loc(#loc120)
    %371 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%369 : tensor<128x96xf32>) outs(%370 : tensor<128x96xbf16>) {
    ^bb0(%in: f32 loc(#loc119), %out: bf16 loc(#loc120)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc120)
      linalg.yield %1360 : bf16 loc(#loc120)
    } -> tensor<128x96xbf16> loc(#loc120)
    %372 = tensor.empty() : tensor<128x96xf32> loc(#loc118)
    %373 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<128x96xbf16>) outs(%372 : tensor<128x96xf32>) {
    ^bb0(%in: bf16 loc(#loc48), %out: f32 loc(#loc118)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc118)
      linalg.yield %1360 : f32 loc(#loc118)
    } -> tensor<128x96xf32> loc(#loc118)
    %374 = tensor.empty() : tensor<8x64x128xf32> loc(#loc118)
    %375 = linalg.fill ins(%cst_8 : f32) outs(%374 : tensor<8x64x128xf32>) -> tensor<8x64x128xf32> loc(#loc118)
    %376 = linalg.generic {indexing_maps = [#map11, #map20, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%362, %373 : tensor<8x64x96xf32>, tensor<128x96xf32>) outs(%375 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc118), %in_41: f32 loc(#loc118), %out: f32 loc(#loc118)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc118)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc118)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<8x64x128xf32> loc(#loc118)
    %377 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc120)
    %378 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%376 : tensor<8x64x128xf32>) outs(%377 : tensor<8x64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc118), %out: bf16 loc(#loc120)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc120)
      linalg.yield %1360 : bf16 loc(#loc120)
    } -> tensor<8x64x128xbf16> loc(#loc120)
    %379 = tensor.empty() : tensor<8x64x128xf32> loc(#loc121)
    %380 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%378 : tensor<8x64x128xbf16>) outs(%379 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc120), %out: f32 loc(#loc121)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc121)
      linalg.yield %1360 : f32 loc(#loc121)
    } -> tensor<8x64x128xf32> loc(#loc121)
    %381 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %382 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%273, %380 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%381 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc55), %in_41: f32 loc(#loc121), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %383 = tensor.empty() : tensor<128xf32> loc(#loc122)
    %384 = linalg.fill ins(%cst_8 : f32) outs(%383 : tensor<128xf32>) -> tensor<128xf32> loc(#loc122)
    %385 = linalg.generic {indexing_maps = [#map29, #map30], iterator_types = ["parallel", "reduction", "reduction"]} ins(%382 : tensor<8x64x128xf32>) outs(%384 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc122), %out: f32 loc(#loc122)):
      %1360 = arith.addf %out, %in : f32 loc(#loc122)
      linalg.yield %1360 : f32 loc(#loc122)
    } -> tensor<128xf32> loc(#loc122)
    %expanded_28 = tensor.expand_shape %385 [[0, 1, 2]] output_shape [1, 1, 128] : tensor<128xf32> into tensor<1x1x128xf32> loc(#loc123)
    %386 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %387 = linalg.generic {indexing_maps = [#map10, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%277 : tensor<1x1x128xf32>) outs(%386 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc52), %out: f32 loc(#loc110)):
      linalg.yield %in : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %388 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %389 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%380, %387 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%388 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc121), %in_41: f32 loc(#loc110), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %390 = tensor.empty() : tensor<128xf32> loc(#loc122)
    %391 = linalg.fill ins(%cst_8 : f32) outs(%390 : tensor<128xf32>) -> tensor<128xf32> loc(#loc122)
    %392 = linalg.generic {indexing_maps = [#map29, #map30], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded_28 : tensor<1x1x128xf32>) outs(%391 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc122), %out: f32 loc(#loc122)):
      %1360 = arith.addf %out, %in : f32 loc(#loc122)
      linalg.yield %1360 : f32 loc(#loc122)
    } -> tensor<128xf32> loc(#loc122)
    %393 = tensor.empty() : tensor<128xbf16> loc(#loc121)
    %394 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%392 : tensor<128xf32>) outs(%393 : tensor<128xbf16>) {
    ^bb0(%in: f32 loc(#loc122), %out: bf16 loc(#loc121)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc121)
      linalg.yield %1360 : bf16 loc(#loc121)
    } -> tensor<128xbf16> loc(#loc121)
    %395 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %396 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%246, %389 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%395 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc54), %in_41: f32 loc(#loc110), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %397 = tensor.empty() : tensor<8x64xf32> loc(#loc122)
    %398 = linalg.fill ins(%cst_8 : f32) outs(%397 : tensor<8x64xf32>) -> tensor<8x64xf32> loc(#loc122)
    %399 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%396 : tensor<8x64x128xf32>) outs(%398 : tensor<8x64xf32>) {
    ^bb0(%in: f32 loc(#loc122), %out: f32 loc(#loc122)):
      %1360 = arith.addf %out, %in : f32 loc(#loc122)
      linalg.yield %1360 : f32 loc(#loc122)
    } -> tensor<8x64xf32> loc(#loc122)
    %expanded_29 = tensor.expand_shape %399 [[0], [1, 2]] output_shape [8, 64, 1] : tensor<8x64xf32> into tensor<8x64x1xf32> loc(#loc123)
    %400 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %401 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%263 : tensor<8x64x1xf32>) outs(%400 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc58), %out: f32 loc(#loc110)):
      linalg.yield %in : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %402 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %403 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%389, %401 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%402 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc110), %in_41: f32 loc(#loc110), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %404 = tensor.empty() : tensor<8x64x1xf32> loc(#loc110)
    %405 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_29, %269 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%404 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc123), %in_41: f32 loc(#loc55), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x1xf32> loc(#loc110)
    %406 = tensor.empty() : tensor<8x64x1xf32> loc(#loc108)
    %407 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_21 : tensor<f32>) outs(%406 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc108)):
      linalg.yield %in : f32 loc(#loc108)
    } -> tensor<8x64x1xf32> loc(#loc108)
    %408 = tensor.empty() : tensor<8x64x1xf32> loc(#loc108)
    %409 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%405, %407 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%408 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc110), %in_41: f32 loc(#loc108), %out: f32 loc(#loc108)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc108)
      linalg.yield %1360 : f32 loc(#loc108)
    } -> tensor<8x64x1xf32> loc(#loc108)
    %410 = tensor.empty() : tensor<8x64xf32> loc(#loc122)
    %411 = linalg.fill ins(%cst_8 : f32) outs(%410 : tensor<8x64xf32>) -> tensor<8x64xf32> loc(#loc122)
    %412 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%409 : tensor<8x64x1xf32>) outs(%411 : tensor<8x64xf32>) {
    ^bb0(%in: f32 loc(#loc122), %out: f32 loc(#loc122)):
      %1360 = arith.addf %out, %in : f32 loc(#loc122)
      linalg.yield %1360 : f32 loc(#loc122)
    } -> tensor<8x64xf32> loc(#loc122)
    %413 = tensor.empty() : tensor<8x64x128xf32> loc(#loc109)
    %414 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%412 : tensor<8x64xf32>) outs(%413 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc122), %out: f32 loc(#loc109)):
      linalg.yield %in : f32 loc(#loc109)
    } -> tensor<8x64x128xf32> loc(#loc109)
    %415 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %416 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%246, %414 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%415 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc54), %in_41: f32 loc(#loc109), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %417 = tensor.empty() : tensor<8x64x128xf32> loc(#loc124)
    %418 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%403, %416 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%417 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc110), %in_41: f32 loc(#loc110), %out: f32 loc(#loc124)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc124)
      linalg.yield %1360 : f32 loc(#loc124)
    } -> tensor<8x64x128xf32> loc(#loc124)
    %419 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %420 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%414, %246 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%419 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc109), %in_41: f32 loc(#loc54), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %421 = tensor.empty() : tensor<8x64x128xf32> loc(#loc124)
    %422 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%418, %420 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%421 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc124), %in_41: f32 loc(#loc110), %out: f32 loc(#loc124)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc124)
      linalg.yield %1360 : f32 loc(#loc124)
    } -> tensor<8x64x128xf32> loc(#loc124)
    %423 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc121)
    %424 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%422 : tensor<8x64x128xf32>) outs(%423 : tensor<8x64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc124), %out: bf16 loc(#loc121)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc121)
      linalg.yield %1360 : bf16 loc(#loc121)
    } -> tensor<8x64x128xbf16> loc(#loc121)
    %425 = tensor.empty() : tensor<8x64x128xf32> loc(#loc125)
    %426 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%424 : tensor<8x64x128xbf16>) outs(%425 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc121), %out: f32 loc(#loc125)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc125)
      linalg.yield %1360 : f32 loc(#loc125)
    } -> tensor<8x64x128xf32> loc(#loc125)
    %427 = tensor.empty() : tensor<8x64x384xf32> loc(#loc126)
    %428 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%237 : tensor<8x64x384xbf16>) outs(%427 : tensor<8x64x384xf32>) {
    ^bb0(%in: bf16 loc(#loc55), %out: f32 loc(#loc126)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc126)
      linalg.yield %1360 : f32 loc(#loc126)
    } -> tensor<8x64x384xf32> loc(#loc126)
    %429 = tensor.empty() : tensor<128x384xf32> loc(#loc126)
    %430 = linalg.fill ins(%cst_8 : f32) outs(%429 : tensor<128x384xf32>) -> tensor<128x384xf32> loc(#loc126)
    %431 = linalg.generic {indexing_maps = [#map25, #map26, #map27], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%426, %428 : tensor<8x64x128xf32>, tensor<8x64x384xf32>) outs(%430 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc126), %in_41: f32 loc(#loc126), %out: f32 loc(#loc126)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc126)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc126)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<128x384xf32> loc(#loc126)
    %432 = tensor.empty() : tensor<384x128xf32> loc(#loc127)
    %433 = linalg.generic {indexing_maps = [#map28, #map], iterator_types = ["parallel", "parallel"]} ins(%431 : tensor<128x384xf32>) outs(%432 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc126), %out: f32 loc(#loc127)):
      linalg.yield %in : f32 loc(#loc127)
    } -> tensor<384x128xf32> loc(#loc127)
    %434 = tensor.empty() : tensor<384x128xbf16> loc(#loc125)
    %435 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%433 : tensor<384x128xf32>) outs(%434 : tensor<384x128xbf16>) {
    ^bb0(%in: f32 loc(#loc127), %out: bf16 loc(#loc125)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc125)
      linalg.yield %1360 : bf16 loc(#loc125)
    } -> tensor<384x128xbf16> loc(#loc125)
    %436 = tensor.empty() : tensor<384x128xf32> loc(#loc126)
    %437 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<384x128xbf16>) outs(%436 : tensor<384x128xf32>) {
    ^bb0(%in: bf16 loc(#loc48), %out: f32 loc(#loc126)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc126)
      linalg.yield %1360 : f32 loc(#loc126)
    } -> tensor<384x128xf32> loc(#loc126)
    %438 = tensor.empty() : tensor<8x64x384xf32> loc(#loc126)
    %439 = linalg.fill ins(%cst_8 : f32) outs(%438 : tensor<8x64x384xf32>) -> tensor<8x64x384xf32> loc(#loc126)
    %440 = linalg.generic {indexing_maps = [#map11, #map20, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%426, %437 : tensor<8x64x128xf32>, tensor<384x128xf32>) outs(%439 : tensor<8x64x384xf32>) {
    ^bb0(%in: f32 loc(#loc126), %in_41: f32 loc(#loc126), %out: f32 loc(#loc126)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc126)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc126)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<8x64x384xf32> loc(#loc126)
    %441 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc125)
    %442 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%440 : tensor<8x64x384xf32>) outs(%441 : tensor<8x64x384xbf16>) {
    ^bb0(%in: f32 loc(#loc126), %out: bf16 loc(#loc125)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc125)
      linalg.yield %1360 : bf16 loc(#loc125)
    } -> tensor<8x64x384xbf16> loc(#loc125)
    %443 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc110)
    %444 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%230, %442 : tensor<8x64x384xbf16>, tensor<8x64x384xbf16>) outs(%443 : tensor<8x64x384xbf16>) {
    ^bb0(%in: bf16 loc(#loc86), %in_41: bf16 loc(#loc125), %out: bf16 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : bf16 loc(#loc110)
      linalg.yield %1360 : bf16 loc(#loc110)
    } -> tensor<8x64x384xbf16> loc(#loc110)
    %445 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc110)
    %446 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%442, %235 : tensor<8x64x384xbf16>, tensor<8x64x384xbf16>) outs(%445 : tensor<8x64x384xbf16>) {
    ^bb0(%in: bf16 loc(#loc125), %in_41: bf16 loc(#loc88), %out: bf16 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : bf16 loc(#loc110)
      linalg.yield %1360 : bf16 loc(#loc110)
    } -> tensor<8x64x384xbf16> loc(#loc110)
    %447 = tensor.empty() : tensor<8x64x384xf32> loc(#loc128)
    %448 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%444 : tensor<8x64x384xbf16>) outs(%447 : tensor<8x64x384xf32>) {
    ^bb0(%in: bf16 loc(#loc110), %out: f32 loc(#loc128)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc128)
      linalg.yield %1360 : f32 loc(#loc128)
    } -> tensor<8x64x384xf32> loc(#loc128)
    %449 = tensor.empty() : tensor<8x64x128xf32> loc(#loc129)
    %450 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%205 : tensor<8x64x128xbf16>) outs(%449 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc54), %out: f32 loc(#loc129)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc129)
      linalg.yield %1360 : f32 loc(#loc129)
    } -> tensor<8x64x128xf32> loc(#loc129)
    %451 = tensor.empty() : tensor<384x128xf32> loc(#loc129)
    %452 = linalg.fill ins(%cst_8 : f32) outs(%451 : tensor<384x128xf32>) -> tensor<384x128xf32> loc(#loc129)
    %453 = linalg.generic {indexing_maps = [#map25, #map26, #map27], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%448, %450 : tensor<8x64x384xf32>, tensor<8x64x128xf32>) outs(%452 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc129), %in_41: f32 loc(#loc129), %out: f32 loc(#loc129)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc129)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc129)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<384x128xf32> loc(#loc129)
    %454 = tensor.empty() : tensor<128x384xf32> loc(#loc130)
    %455 = linalg.generic {indexing_maps = [#map28, #map], iterator_types = ["parallel", "parallel"]} ins(%453 : tensor<384x128xf32>) outs(%454 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc129), %out: f32 loc(#loc130)):
      linalg.yield %in : f32 loc(#loc130)
    } -> tensor<128x384xf32> loc(#loc130)
    %456 = tensor.empty() : tensor<128x384xbf16> loc(#loc128)
    %457 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%455 : tensor<128x384xf32>) outs(%456 : tensor<128x384xbf16>) {
    ^bb0(%in: f32 loc(#loc130), %out: bf16 loc(#loc128)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc128)
      linalg.yield %1360 : bf16 loc(#loc128)
    } -> tensor<128x384xbf16> loc(#loc128)
    %458 = tensor.empty() : tensor<128x384xf32> loc(#loc129)
    %459 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<128x384xbf16>) outs(%458 : tensor<128x384xf32>) {
    ^bb0(%in: bf16 loc(#loc48), %out: f32 loc(#loc129)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc129)
      linalg.yield %1360 : f32 loc(#loc129)
    } -> tensor<128x384xf32> loc(#loc129)
    %460 = tensor.empty() : tensor<8x64x128xf32> loc(#loc129)
    %461 = linalg.fill ins(%cst_8 : f32) outs(%460 : tensor<8x64x128xf32>) -> tensor<8x64x128xf32> loc(#loc129)
    %462 = linalg.generic {indexing_maps = [#map11, #map20, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%448, %459 : tensor<8x64x384xf32>, tensor<128x384xf32>) outs(%461 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc129), %in_41: f32 loc(#loc129), %out: f32 loc(#loc129)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc129)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc129)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<8x64x128xf32> loc(#loc129)
    %463 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc128)
    %464 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%462 : tensor<8x64x128xf32>) outs(%463 : tensor<8x64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc129), %out: bf16 loc(#loc128)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc128)
      linalg.yield %1360 : bf16 loc(#loc128)
    } -> tensor<8x64x128xbf16> loc(#loc128)
    %465 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc131)
    %466 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%210, %446 : tensor<8x64x384xbf16>, tensor<8x64x384xbf16>) outs(%465 : tensor<8x64x384xbf16>) {
    ^bb0(%in: bf16 loc(#loc80), %in_41: bf16 loc(#loc110), %out: bf16 loc(#loc131)):
      %1360 = arith.mulf %in, %in_41 : bf16 loc(#loc131)
      linalg.yield %1360 : bf16 loc(#loc131)
    } -> tensor<8x64x384xbf16> loc(#loc131)
    %467 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc131)
    %468 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%446, %222 : tensor<8x64x384xbf16>, tensor<8x64x384xbf16>) outs(%467 : tensor<8x64x384xbf16>) {
    ^bb0(%in: bf16 loc(#loc110), %in_41: bf16 loc(#loc84), %out: bf16 loc(#loc131)):
      %1360 = arith.mulf %in, %in_41 : bf16 loc(#loc131)
      linalg.yield %1360 : bf16 loc(#loc131)
    } -> tensor<8x64x384xbf16> loc(#loc131)
    %469 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc131)
    %470 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%466, %228 : tensor<8x64x384xbf16>, tensor<8x64x384xbf16>) outs(%469 : tensor<8x64x384xbf16>) {
    ^bb0(%in: bf16 loc(#loc131), %in_41: bf16 loc(#loc86), %out: bf16 loc(#loc131)):
      %1360 = arith.mulf %in, %in_41 : bf16 loc(#loc131)
      linalg.yield %1360 : bf16 loc(#loc131)
    } -> tensor<8x64x384xbf16> loc(#loc131)
    %471 = tensor.empty() : tensor<8x64x384xbf16> loc(#loc132)
    %472 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%468, %470 : tensor<8x64x384xbf16>, tensor<8x64x384xbf16>) outs(%471 : tensor<8x64x384xbf16>) {
    ^bb0(%in: bf16 loc(#loc131), %in_41: bf16 loc(#loc131), %out: bf16 loc(#loc132)):
      %1360 = arith.addf %in, %in_41 : bf16 loc(#loc132)
      linalg.yield %1360 : bf16 loc(#loc132)
    } -> tensor<8x64x384xbf16> loc(#loc132)
    %473 = tensor.empty() : tensor<8x64x384xf32> loc(#loc133)
    %474 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%472 : tensor<8x64x384xbf16>) outs(%473 : tensor<8x64x384xf32>) {
    ^bb0(%in: bf16 loc(#loc132), %out: f32 loc(#loc133)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc133)
      linalg.yield %1360 : f32 loc(#loc133)
    } -> tensor<8x64x384xf32> loc(#loc133)
    %475 = tensor.empty() : tensor<8x64x128xf32> loc(#loc134)
    %476 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%205 : tensor<8x64x128xbf16>) outs(%475 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc54), %out: f32 loc(#loc134)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc134)
      linalg.yield %1360 : f32 loc(#loc134)
    } -> tensor<8x64x128xf32> loc(#loc134)
    %477 = tensor.empty() : tensor<384x128xf32> loc(#loc134)
    %478 = linalg.fill ins(%cst_8 : f32) outs(%477 : tensor<384x128xf32>) -> tensor<384x128xf32> loc(#loc134)
    %479 = linalg.generic {indexing_maps = [#map25, #map26, #map27], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%474, %476 : tensor<8x64x384xf32>, tensor<8x64x128xf32>) outs(%478 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc134), %in_41: f32 loc(#loc134), %out: f32 loc(#loc134)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc134)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc134)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<384x128xf32> loc(#loc134)
    %480 = tensor.empty() : tensor<128x384xf32> loc(#loc135)
    %481 = linalg.generic {indexing_maps = [#map28, #map], iterator_types = ["parallel", "parallel"]} ins(%479 : tensor<384x128xf32>) outs(%480 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc134), %out: f32 loc(#loc135)):
      linalg.yield %in : f32 loc(#loc135)
    } -> tensor<128x384xf32> loc(#loc135)
    %482 = tensor.empty() : tensor<128x384xbf16> loc(#loc133)
    %483 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%481 : tensor<128x384xf32>) outs(%482 : tensor<128x384xbf16>) {
    ^bb0(%in: f32 loc(#loc135), %out: bf16 loc(#loc133)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc133)
      linalg.yield %1360 : bf16 loc(#loc133)
    } -> tensor<128x384xbf16> loc(#loc133)
    %484 = tensor.empty() : tensor<128x384xf32> loc(#loc134)
    %485 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<128x384xbf16>) outs(%484 : tensor<128x384xf32>) {
    ^bb0(%in: bf16 loc(#loc48), %out: f32 loc(#loc134)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc134)
      linalg.yield %1360 : f32 loc(#loc134)
    } -> tensor<128x384xf32> loc(#loc134)
    %486 = tensor.empty() : tensor<8x64x128xf32> loc(#loc134)
    %487 = linalg.fill ins(%cst_8 : f32) outs(%486 : tensor<8x64x128xf32>) -> tensor<8x64x128xf32> loc(#loc134)
    %488 = linalg.generic {indexing_maps = [#map11, #map20, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%474, %485 : tensor<8x64x384xf32>, tensor<128x384xf32>) outs(%487 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc134), %in_41: f32 loc(#loc134), %out: f32 loc(#loc134)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc134)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc134)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<8x64x128xf32> loc(#loc134)
    %489 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc133)
    %490 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%488 : tensor<8x64x128xf32>) outs(%489 : tensor<8x64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc134), %out: bf16 loc(#loc133)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc133)
      linalg.yield %1360 : bf16 loc(#loc133)
    } -> tensor<8x64x128xbf16> loc(#loc133)
    %491 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc136)
    %492 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%464, %490 : tensor<8x64x128xbf16>, tensor<8x64x128xbf16>) outs(%491 : tensor<8x64x128xbf16>) {
    ^bb0(%in: bf16 loc(#loc128), %in_41: bf16 loc(#loc133), %out: bf16 loc(#loc136)):
      %1360 = arith.addf %in, %in_41 : bf16 loc(#loc136)
      linalg.yield %1360 : bf16 loc(#loc136)
    } -> tensor<8x64x128xbf16> loc(#loc136)
    %493 = tensor.empty() : tensor<8x64x128xf32> loc(#loc121)
    %494 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%492 : tensor<8x64x128xbf16>) outs(%493 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc136), %out: f32 loc(#loc121)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc121)
      linalg.yield %1360 : f32 loc(#loc121)
    } -> tensor<8x64x128xf32> loc(#loc121)
    %495 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %496 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%195, %494 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%495 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc55), %in_41: f32 loc(#loc121), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %497 = tensor.empty() : tensor<128xf32> loc(#loc122)
    %498 = linalg.fill ins(%cst_8 : f32) outs(%497 : tensor<128xf32>) -> tensor<128xf32> loc(#loc122)
    %499 = linalg.generic {indexing_maps = [#map29, #map30], iterator_types = ["parallel", "reduction", "reduction"]} ins(%496 : tensor<8x64x128xf32>) outs(%498 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc122), %out: f32 loc(#loc122)):
      %1360 = arith.addf %out, %in : f32 loc(#loc122)
      linalg.yield %1360 : f32 loc(#loc122)
    } -> tensor<128xf32> loc(#loc122)
    %expanded_30 = tensor.expand_shape %499 [[0, 1, 2]] output_shape [1, 1, 128] : tensor<128xf32> into tensor<1x1x128xf32> loc(#loc123)
    %500 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %501 = linalg.generic {indexing_maps = [#map10, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%199 : tensor<1x1x128xf32>) outs(%500 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc52), %out: f32 loc(#loc110)):
      linalg.yield %in : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %502 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %503 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%494, %501 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%502 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc121), %in_41: f32 loc(#loc110), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %504 = tensor.empty() : tensor<128xf32> loc(#loc122)
    %505 = linalg.fill ins(%cst_8 : f32) outs(%504 : tensor<128xf32>) -> tensor<128xf32> loc(#loc122)
    %506 = linalg.generic {indexing_maps = [#map29, #map30], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded_30 : tensor<1x1x128xf32>) outs(%505 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc122), %out: f32 loc(#loc122)):
      %1360 = arith.addf %out, %in : f32 loc(#loc122)
      linalg.yield %1360 : f32 loc(#loc122)
    } -> tensor<128xf32> loc(#loc122)
    %507 = tensor.empty() : tensor<128xbf16> loc(#loc121)
    %508 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%506 : tensor<128xf32>) outs(%507 : tensor<128xbf16>) {
    ^bb0(%in: f32 loc(#loc122), %out: bf16 loc(#loc121)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc121)
      linalg.yield %1360 : bf16 loc(#loc121)
    } -> tensor<128xbf16> loc(#loc121)
    %509 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %510 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168, %503 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%509 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc54), %in_41: f32 loc(#loc110), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %511 = tensor.empty() : tensor<8x64xf32> loc(#loc122)
    %512 = linalg.fill ins(%cst_8 : f32) outs(%511 : tensor<8x64xf32>) -> tensor<8x64xf32> loc(#loc122)
    %513 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%510 : tensor<8x64x128xf32>) outs(%512 : tensor<8x64xf32>) {
    ^bb0(%in: f32 loc(#loc122), %out: f32 loc(#loc122)):
      %1360 = arith.addf %out, %in : f32 loc(#loc122)
      linalg.yield %1360 : f32 loc(#loc122)
    } -> tensor<8x64xf32> loc(#loc122)
    %expanded_31 = tensor.expand_shape %513 [[0], [1, 2]] output_shape [8, 64, 1] : tensor<8x64xf32> into tensor<8x64x1xf32> loc(#loc123)
    %514 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %515 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185 : tensor<8x64x1xf32>) outs(%514 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc58), %out: f32 loc(#loc110)):
      linalg.yield %in : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %516 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %517 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%503, %515 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%516 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc110), %in_41: f32 loc(#loc110), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %518 = tensor.empty() : tensor<8x64x1xf32> loc(#loc110)
    %519 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_31, %191 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%518 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc123), %in_41: f32 loc(#loc55), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x1xf32> loc(#loc110)
    %520 = tensor.empty() : tensor<8x64x1xf32> loc(#loc108)
    %521 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_21 : tensor<f32>) outs(%520 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc108)):
      linalg.yield %in : f32 loc(#loc108)
    } -> tensor<8x64x1xf32> loc(#loc108)
    %522 = tensor.empty() : tensor<8x64x1xf32> loc(#loc108)
    %523 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%519, %521 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%522 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc110), %in_41: f32 loc(#loc108), %out: f32 loc(#loc108)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc108)
      linalg.yield %1360 : f32 loc(#loc108)
    } -> tensor<8x64x1xf32> loc(#loc108)
    %524 = tensor.empty() : tensor<8x64xf32> loc(#loc122)
    %525 = linalg.fill ins(%cst_8 : f32) outs(%524 : tensor<8x64xf32>) -> tensor<8x64xf32> loc(#loc122)
    %526 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%523 : tensor<8x64x1xf32>) outs(%525 : tensor<8x64xf32>) {
    ^bb0(%in: f32 loc(#loc122), %out: f32 loc(#loc122)):
      %1360 = arith.addf %out, %in : f32 loc(#loc122)
      linalg.yield %1360 : f32 loc(#loc122)
    } -> tensor<8x64xf32> loc(#loc122)
    %527 = tensor.empty() : tensor<8x64x128xf32> loc(#loc109)
    %528 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%526 : tensor<8x64xf32>) outs(%527 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc122), %out: f32 loc(#loc109)):
      linalg.yield %in : f32 loc(#loc109)
    } -> tensor<8x64x128xf32> loc(#loc109)
    %529 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %530 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168, %528 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%529 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc54), %in_41: f32 loc(#loc109), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %531 = tensor.empty() : tensor<8x64x128xf32> loc(#loc124)
    %532 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%517, %530 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%531 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc110), %in_41: f32 loc(#loc110), %out: f32 loc(#loc124)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc124)
      linalg.yield %1360 : f32 loc(#loc124)
    } -> tensor<8x64x128xf32> loc(#loc124)
    %533 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %534 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%528, %168 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%533 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc109), %in_41: f32 loc(#loc54), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %535 = tensor.empty() : tensor<8x64x128xf32> loc(#loc124)
    %536 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%532, %534 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%535 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc124), %in_41: f32 loc(#loc110), %out: f32 loc(#loc124)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc124)
      linalg.yield %1360 : f32 loc(#loc124)
    } -> tensor<8x64x128xf32> loc(#loc124)
    %537 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc121)
    %538 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%536 : tensor<8x64x128xf32>) outs(%537 : tensor<8x64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc124), %out: bf16 loc(#loc121)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc121)
      linalg.yield %1360 : bf16 loc(#loc121)
    } -> tensor<8x64x128xbf16> loc(#loc121)
    %539 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc124)
    %540 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%424, %538 : tensor<8x64x128xbf16>, tensor<8x64x128xbf16>) outs(%539 : tensor<8x64x128xbf16>) {
    ^bb0(%in: bf16 loc(#loc121), %in_41: bf16 loc(#loc121), %out: bf16 loc(#loc124)):
      %1360 = arith.addf %in, %in_41 : bf16 loc(#loc124)
      linalg.yield %1360 : bf16 loc(#loc124)
    } -> tensor<8x64x128xbf16> loc(#loc124)
    %541 = tensor.empty() : tensor<8x64x128xf32> loc(#loc137)
    %542 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%540 : tensor<8x64x128xbf16>) outs(%541 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc124), %out: f32 loc(#loc137)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc137)
      linalg.yield %1360 : f32 loc(#loc137)
    } -> tensor<8x64x128xf32> loc(#loc137)
    %543 = tensor.empty() : tensor<8x64x128xf32> loc(#loc138)
    %544 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<8x64x128xbf16>) outs(%543 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc61), %out: f32 loc(#loc138)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc138)
      linalg.yield %1360 : f32 loc(#loc138)
    } -> tensor<8x64x128xf32> loc(#loc138)
    %545 = tensor.empty() : tensor<128x128xf32> loc(#loc138)
    %546 = linalg.fill ins(%cst_8 : f32) outs(%545 : tensor<128x128xf32>) -> tensor<128x128xf32> loc(#loc138)
    %547 = linalg.generic {indexing_maps = [#map25, #map26, #map27], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%542, %544 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%546 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc138), %in_41: f32 loc(#loc138), %out: f32 loc(#loc138)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc138)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc138)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<128x128xf32> loc(#loc138)
    %548 = tensor.empty() : tensor<128x128xf32> loc(#loc139)
    %549 = linalg.generic {indexing_maps = [#map28, #map], iterator_types = ["parallel", "parallel"]} ins(%547 : tensor<128x128xf32>) outs(%548 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc138), %out: f32 loc(#loc139)):
      linalg.yield %in : f32 loc(#loc139)
    } -> tensor<128x128xf32> loc(#loc139)
    %550 = tensor.empty() : tensor<128x128xbf16> loc(#loc137)
    %551 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%549 : tensor<128x128xf32>) outs(%550 : tensor<128x128xbf16>) {
    ^bb0(%in: f32 loc(#loc139), %out: bf16 loc(#loc137)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc137)
      linalg.yield %1360 : bf16 loc(#loc137)
    } -> tensor<128x128xbf16> loc(#loc137)
    %552 = tensor.empty() : tensor<128x128xf32> loc(#loc138)
    %553 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<128x128xbf16>) outs(%552 : tensor<128x128xf32>) {
    ^bb0(%in: bf16 loc(#loc48), %out: f32 loc(#loc138)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc138)
      linalg.yield %1360 : f32 loc(#loc138)
    } -> tensor<128x128xf32> loc(#loc138)
    %554 = tensor.empty() : tensor<8x64x128xf32> loc(#loc138)
    %555 = linalg.fill ins(%cst_8 : f32) outs(%554 : tensor<8x64x128xf32>) -> tensor<8x64x128xf32> loc(#loc138)
    %556 = linalg.generic {indexing_maps = [#map11, #map20, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%542, %553 : tensor<8x64x128xf32>, tensor<128x128xf32>) outs(%555 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc138), %in_41: f32 loc(#loc138), %out: f32 loc(#loc138)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc138)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc138)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<8x64x128xf32> loc(#loc138)
    %557 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc137)
    %558 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%556 : tensor<8x64x128xf32>) outs(%557 : tensor<8x64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc138), %out: bf16 loc(#loc137)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc137)
      linalg.yield %1360 : bf16 loc(#loc137)
    } -> tensor<8x64x128xbf16> loc(#loc137)
    %expanded_32 = tensor.expand_shape %558 [[0], [1], [2, 3]] output_shape [8, 64, 4, 32] : tensor<8x64x128xbf16> into tensor<8x64x4x32xbf16> loc(#loc123)
    %559 = tensor.empty() : tensor<8x64x4x32xf32> loc(#loc121)
    %560 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<8x64x4x32xbf16>) outs(%559 : tensor<8x64x4x32xf32>) {
    ^bb0(%in: bf16 loc(#loc123), %out: f32 loc(#loc121)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc121)
      linalg.yield %1360 : f32 loc(#loc121)
    } -> tensor<8x64x4x32xf32> loc(#loc121)
    %561 = tensor.empty() : tensor<8x4x32x64xf32> loc(#loc140)
    %562 = linalg.generic {indexing_maps = [#map31, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%560 : tensor<8x64x4x32xf32>) outs(%561 : tensor<8x4x32x64xf32>) {
    ^bb0(%in: f32 loc(#loc121), %out: f32 loc(#loc140)):
      linalg.yield %in : f32 loc(#loc140)
    } -> tensor<8x4x32x64xf32> loc(#loc140)
    %563 = tensor.empty() : tensor<8x64x4x32xf32> loc(#loc141)
    %564 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<8x64x4x32xbf16>) outs(%563 : tensor<8x64x4x32xf32>) {
    ^bb0(%in: bf16 loc(#loc61), %out: f32 loc(#loc141)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc141)
      linalg.yield %1360 : f32 loc(#loc141)
    } -> tensor<8x64x4x32xf32> loc(#loc141)
    %565 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc141)
    %566 = linalg.fill ins(%cst_8 : f32) outs(%565 : tensor<8x4x64x64xf32>) -> tensor<8x4x64x64xf32> loc(#loc141)
    %567 = linalg.generic {indexing_maps = [#map32, #map15, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%562, %564 : tensor<8x4x32x64xf32>, tensor<8x64x4x32xf32>) outs(%566 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc141), %in_41: f32 loc(#loc141), %out: f32 loc(#loc141)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc141)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc141)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<8x4x64x64xf32> loc(#loc141)
    %568 = tensor.empty() : tensor<8x4x64x64xbf16> loc(#loc142)
    %569 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%567 : tensor<8x4x64x64xf32>) outs(%568 : tensor<8x4x64x64xbf16>) {
    ^bb0(%in: f32 loc(#loc141), %out: bf16 loc(#loc142)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc142)
      linalg.yield %1360 : bf16 loc(#loc142)
    } -> tensor<8x4x64x64xbf16> loc(#loc142)
    %570 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc141)
    %571 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%152 : tensor<8x4x64x64xbf16>) outs(%570 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: bf16 loc(#loc54), %out: f32 loc(#loc141)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc141)
      linalg.yield %1360 : f32 loc(#loc141)
    } -> tensor<8x4x64x64xf32> loc(#loc141)
    %572 = tensor.empty() : tensor<8x4x32x64xf32> loc(#loc141)
    %573 = linalg.fill ins(%cst_8 : f32) outs(%572 : tensor<8x4x32x64xf32>) -> tensor<8x4x32x64xf32> loc(#loc141)
    %574 = linalg.generic {indexing_maps = [#map33, #map34, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%562, %571 : tensor<8x4x32x64xf32>, tensor<8x4x64x64xf32>) outs(%573 : tensor<8x4x32x64xf32>) {
    ^bb0(%in: f32 loc(#loc141), %in_41: f32 loc(#loc141), %out: f32 loc(#loc141)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc141)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc141)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<8x4x32x64xf32> loc(#loc141)
    %575 = tensor.empty() : tensor<8x64x4x32xf32> loc(#loc140)
    %576 = linalg.generic {indexing_maps = [#map24, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%574 : tensor<8x4x32x64xf32>) outs(%575 : tensor<8x64x4x32xf32>) {
    ^bb0(%in: f32 loc(#loc141), %out: f32 loc(#loc140)):
      linalg.yield %in : f32 loc(#loc140)
    } -> tensor<8x64x4x32xf32> loc(#loc140)
    %577 = tensor.empty() : tensor<8x64x4x32xbf16> loc(#loc142)
    %578 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%576 : tensor<8x64x4x32xf32>) outs(%577 : tensor<8x64x4x32xbf16>) {
    ^bb0(%in: f32 loc(#loc140), %out: bf16 loc(#loc142)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc142)
      linalg.yield %1360 : bf16 loc(#loc142)
    } -> tensor<8x64x4x32xbf16> loc(#loc142)
    %579 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc121)
    %580 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%569 : tensor<8x4x64x64xbf16>) outs(%579 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: bf16 loc(#loc142), %out: f32 loc(#loc121)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc121)
      linalg.yield %1360 : f32 loc(#loc121)
    } -> tensor<8x4x64x64xf32> loc(#loc121)
    %581 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc110)
    %582 = linalg.generic {indexing_maps = [#map21, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%150 : tensor<8x4x64x1xf32>) outs(%581 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc57), %out: f32 loc(#loc110)):
      linalg.yield %in : f32 loc(#loc110)
    } -> tensor<8x4x64x64xf32> loc(#loc110)
    %583 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc110)
    %584 = linalg.generic {indexing_maps = [#map18, #map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%580, %582 : tensor<8x4x64x64xf32>, tensor<8x4x64x64xf32>) outs(%583 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc121), %in_41: f32 loc(#loc110), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x4x64x64xf32> loc(#loc110)
    %585 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc110)
    %586 = linalg.generic {indexing_maps = [#map18, #map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%584, %135 : tensor<8x4x64x64xf32>, tensor<8x4x64x64xf32>) outs(%585 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc110), %in_41: f32 loc(#loc74), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x4x64x64xf32> loc(#loc110)
    %587 = tensor.empty() : tensor<8x4x64xf32> loc(#loc122)
    %588 = linalg.fill ins(%cst_8 : f32) outs(%587 : tensor<8x4x64xf32>) -> tensor<8x4x64xf32> loc(#loc122)
    %589 = linalg.generic {indexing_maps = [#map18, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%586 : tensor<8x4x64x64xf32>) outs(%588 : tensor<8x4x64xf32>) {
    ^bb0(%in: f32 loc(#loc122), %out: f32 loc(#loc122)):
      %1360 = arith.addf %out, %in : f32 loc(#loc122)
      linalg.yield %1360 : f32 loc(#loc122)
    } -> tensor<8x4x64xf32> loc(#loc122)
    %expanded_33 = tensor.expand_shape %589 [[0], [1], [2, 3]] output_shape [8, 4, 64, 1] : tensor<8x4x64xf32> into tensor<8x4x64x1xf32> loc(#loc123)
    %590 = tensor.empty() : tensor<8x4x64x1xf32> loc(#loc107)
    %591 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_33 : tensor<8x4x64x1xf32>) outs(%590 : tensor<8x4x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc123), %out: f32 loc(#loc107)):
      %1360 = arith.negf %in : f32 loc(#loc107)
      linalg.yield %1360 : f32 loc(#loc107)
    } -> tensor<8x4x64x1xf32> loc(#loc107)
    %592 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc108)
    %593 = linalg.generic {indexing_maps = [#map21, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%140 : tensor<8x4x64x1xf32>) outs(%592 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc52), %out: f32 loc(#loc108)):
      linalg.yield %in : f32 loc(#loc108)
    } -> tensor<8x4x64x64xf32> loc(#loc108)
    %594 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc108)
    %595 = linalg.generic {indexing_maps = [#map18, #map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%580, %593 : tensor<8x4x64x64xf32>, tensor<8x4x64x64xf32>) outs(%594 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc121), %in_41: f32 loc(#loc108), %out: f32 loc(#loc108)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc108)
      linalg.yield %1360 : f32 loc(#loc108)
    } -> tensor<8x4x64x64xf32> loc(#loc108)
    %596 = tensor.empty() : tensor<8x4x64xf32> loc(#loc122)
    %597 = linalg.fill ins(%cst_8 : f32) outs(%596 : tensor<8x4x64xf32>) -> tensor<8x4x64xf32> loc(#loc122)
    %598 = linalg.generic {indexing_maps = [#map18, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%591 : tensor<8x4x64x1xf32>) outs(%597 : tensor<8x4x64xf32>) {
    ^bb0(%in: f32 loc(#loc122), %out: f32 loc(#loc122)):
      %1360 = arith.addf %out, %in : f32 loc(#loc122)
      linalg.yield %1360 : f32 loc(#loc122)
    } -> tensor<8x4x64xf32> loc(#loc122)
    %599 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc109)
    %600 = linalg.generic {indexing_maps = [#map13, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%598 : tensor<8x4x64xf32>) outs(%599 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc122), %out: f32 loc(#loc109)):
      linalg.yield %in : f32 loc(#loc109)
    } -> tensor<8x4x64x64xf32> loc(#loc109)
    %601 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc124)
    %602 = linalg.generic {indexing_maps = [#map18, #map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%595, %600 : tensor<8x4x64x64xf32>, tensor<8x4x64x64xf32>) outs(%601 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc108), %in_41: f32 loc(#loc109), %out: f32 loc(#loc124)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc124)
      linalg.yield %1360 : f32 loc(#loc124)
    } -> tensor<8x4x64x64xf32> loc(#loc124)
    %603 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc110)
    %604 = linalg.generic {indexing_maps = [#map18, #map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%602, %135 : tensor<8x4x64x64xf32>, tensor<8x4x64x64xf32>) outs(%603 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc124), %in_41: f32 loc(#loc74), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x4x64x64xf32> loc(#loc110)
    %605 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc143)
    %606 = linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_22 : tensor<f32>) outs(%605 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc144), %out: f32 loc(#loc143)):
      linalg.yield %in : f32 loc(#loc143)
    } -> tensor<8x4x64x64xf32> loc(#loc143)
    %607 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc145)
    %608 = linalg.generic {indexing_maps = [#map18, #map18, #map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%116, %604, %606 : tensor<8x4x64x64xi1>, tensor<8x4x64x64xf32>, tensor<8x4x64x64xf32>) outs(%607 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: i1 loc(#loc69), %in_41: f32 loc(#loc110), %in_42: f32 loc(#loc143), %out: f32 loc(#loc145)):
      %1360 = arith.select %in, %in_41, %in_42 : f32 loc(#loc145)
      linalg.yield %1360 : f32 loc(#loc145)
    } -> tensor<8x4x64x64xf32> loc(#loc145)
    %609 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc108)
    %610 = linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_18 : tensor<f32>) outs(%609 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc108)):
      linalg.yield %in : f32 loc(#loc108)
    } -> tensor<8x4x64x64xf32> loc(#loc108)
    %611 = tensor.empty() : tensor<8x4x64x64xf32> loc(#loc108)
    %612 = linalg.generic {indexing_maps = [#map18, #map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%608, %610 : tensor<8x4x64x64xf32>, tensor<8x4x64x64xf32>) outs(%611 : tensor<8x4x64x64xf32>) {
    ^bb0(%in: f32 loc(#loc145), %in_41: f32 loc(#loc108), %out: f32 loc(#loc108)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc108)
      linalg.yield %1360 : f32 loc(#loc108)
    } -> tensor<8x4x64x64xf32> loc(#loc108)
    %613 = tensor.empty() : tensor<8x64x4x32xf32> loc(#loc146)
    %614 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<8x64x4x32xbf16>) outs(%613 : tensor<8x64x4x32xf32>) {
    ^bb0(%in: bf16 loc(#loc61), %out: f32 loc(#loc146)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc146)
      linalg.yield %1360 : f32 loc(#loc146)
    } -> tensor<8x64x4x32xf32> loc(#loc146)
    %615 = tensor.empty() : tensor<8x4x64x32xf32> loc(#loc146)
    %616 = linalg.fill ins(%cst_8 : f32) outs(%615 : tensor<8x4x64x32xf32>) -> tensor<8x4x64x32xf32> loc(#loc146)
    %617 = linalg.generic {indexing_maps = [#map32, #map35, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%612, %614 : tensor<8x4x64x64xf32>, tensor<8x64x4x32xf32>) outs(%616 : tensor<8x4x64x32xf32>) {
    ^bb0(%in: f32 loc(#loc146), %in_41: f32 loc(#loc146), %out: f32 loc(#loc146)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc146)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc146)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<8x4x64x32xf32> loc(#loc146)
    %618 = tensor.empty() : tensor<8x64x4x32xf32> loc(#loc147)
    %619 = linalg.generic {indexing_maps = [#map36, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%617 : tensor<8x4x64x32xf32>) outs(%618 : tensor<8x64x4x32xf32>) {
    ^bb0(%in: f32 loc(#loc146), %out: f32 loc(#loc147)):
      linalg.yield %in : f32 loc(#loc147)
    } -> tensor<8x64x4x32xf32> loc(#loc147)
    %620 = tensor.empty() : tensor<8x64x4x32xbf16> loc(#loc148)
    %621 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%619 : tensor<8x64x4x32xf32>) outs(%620 : tensor<8x64x4x32xbf16>) {
    ^bb0(%in: f32 loc(#loc147), %out: bf16 loc(#loc148)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc148)
      linalg.yield %1360 : bf16 loc(#loc148)
    } -> tensor<8x64x4x32xbf16> loc(#loc148)
    %622 = tensor.empty() : tensor<8x64x4x32xf32> loc(#loc146)
    %623 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<8x64x4x32xbf16>) outs(%622 : tensor<8x64x4x32xf32>) {
    ^bb0(%in: bf16 loc(#loc61), %out: f32 loc(#loc146)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc146)
      linalg.yield %1360 : f32 loc(#loc146)
    } -> tensor<8x64x4x32xf32> loc(#loc146)
    %624 = tensor.empty() : tensor<8x4x64x32xf32> loc(#loc146)
    %625 = linalg.fill ins(%cst_8 : f32) outs(%624 : tensor<8x4x64x32xf32>) -> tensor<8x4x64x32xf32> loc(#loc146)
    %626 = linalg.generic {indexing_maps = [#map33, #map35, #map16], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%612, %623 : tensor<8x4x64x64xf32>, tensor<8x64x4x32xf32>) outs(%625 : tensor<8x4x64x32xf32>) {
    ^bb0(%in: f32 loc(#loc146), %in_41: f32 loc(#loc146), %out: f32 loc(#loc146)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc146)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc146)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<8x4x64x32xf32> loc(#loc146)
    %627 = tensor.empty() : tensor<8x64x4x32xf32> loc(#loc147)
    %628 = linalg.generic {indexing_maps = [#map36, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%626 : tensor<8x4x64x32xf32>) outs(%627 : tensor<8x64x4x32xf32>) {
    ^bb0(%in: f32 loc(#loc146), %out: f32 loc(#loc147)):
      linalg.yield %in : f32 loc(#loc147)
    } -> tensor<8x64x4x32xf32> loc(#loc147)
    %629 = tensor.empty() : tensor<8x64x4x32xbf16> loc(#loc148)
    %630 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%628 : tensor<8x64x4x32xf32>) outs(%629 : tensor<8x64x4x32xbf16>) {
    ^bb0(%in: f32 loc(#loc147), %out: bf16 loc(#loc148)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc148)
      linalg.yield %1360 : bf16 loc(#loc148)
    } -> tensor<8x64x4x32xbf16> loc(#loc148)
    %collapsed_34 = tensor.collapse_shape %578 [[0], [1], [2, 3]] : tensor<8x64x4x32xbf16> into tensor<8x64x128xbf16> loc(#loc123)
    %631 = tensor.empty() : tensor<8x64x128xf32> loc(#loc149)
    %632 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_34 : tensor<8x64x128xbf16>) outs(%631 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc123), %out: f32 loc(#loc149)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc149)
      linalg.yield %1360 : f32 loc(#loc149)
    } -> tensor<8x64x128xf32> loc(#loc149)
    %633 = tensor.empty() : tensor<8x64x128xf32> loc(#loc150)
    %634 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<8x64x128xbf16>) outs(%633 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc54), %out: f32 loc(#loc150)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc150)
      linalg.yield %1360 : f32 loc(#loc150)
    } -> tensor<8x64x128xf32> loc(#loc150)
    %635 = tensor.empty() : tensor<128x128xf32> loc(#loc150)
    %636 = linalg.fill ins(%cst_8 : f32) outs(%635 : tensor<128x128xf32>) -> tensor<128x128xf32> loc(#loc150)
    %637 = linalg.generic {indexing_maps = [#map25, #map26, #map27], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%632, %634 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%636 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc150), %in_41: f32 loc(#loc150), %out: f32 loc(#loc150)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc150)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc150)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<128x128xf32> loc(#loc150)
    %638 = tensor.empty() : tensor<128x128xf32> loc(#loc151)
    %639 = linalg.generic {indexing_maps = [#map28, #map], iterator_types = ["parallel", "parallel"]} ins(%637 : tensor<128x128xf32>) outs(%638 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc150), %out: f32 loc(#loc151)):
      linalg.yield %in : f32 loc(#loc151)
    } -> tensor<128x128xf32> loc(#loc151)
    %640 = tensor.empty() : tensor<128x128xbf16> loc(#loc149)
    %641 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%639 : tensor<128x128xf32>) outs(%640 : tensor<128x128xbf16>) {
    ^bb0(%in: f32 loc(#loc151), %out: bf16 loc(#loc149)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc149)
      linalg.yield %1360 : bf16 loc(#loc149)
    } -> tensor<128x128xbf16> loc(#loc149)
    %642 = tensor.empty() : tensor<128x128xf32> loc(#loc150)
    %643 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<128x128xbf16>) outs(%642 : tensor<128x128xf32>) {
    ^bb0(%in: bf16 loc(#loc48), %out: f32 loc(#loc150)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc150)
      linalg.yield %1360 : f32 loc(#loc150)
    } -> tensor<128x128xf32> loc(#loc150)
    %644 = tensor.empty() : tensor<8x64x128xf32> loc(#loc150)
    %645 = linalg.fill ins(%cst_8 : f32) outs(%644 : tensor<8x64x128xf32>) -> tensor<8x64x128xf32> loc(#loc150)
    %646 = linalg.generic {indexing_maps = [#map11, #map20, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%632, %643 : tensor<8x64x128xf32>, tensor<128x128xf32>) outs(%645 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc150), %in_41: f32 loc(#loc150), %out: f32 loc(#loc150)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc150)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc150)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<8x64x128xf32> loc(#loc150)
    %647 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc149)
    %648 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%646 : tensor<8x64x128xf32>) outs(%647 : tensor<8x64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc150), %out: bf16 loc(#loc149)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc149)
      linalg.yield %1360 : bf16 loc(#loc149)
    } -> tensor<8x64x128xbf16> loc(#loc149)
    %collapsed_35 = tensor.collapse_shape %621 [[0], [1], [2, 3]] : tensor<8x64x4x32xbf16> into tensor<8x64x128xbf16> loc(#loc123)
    %649 = tensor.empty() : tensor<8x64x128xf32> loc(#loc152)
    %650 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_35 : tensor<8x64x128xbf16>) outs(%649 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc123), %out: f32 loc(#loc152)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc152)
      linalg.yield %1360 : f32 loc(#loc152)
    } -> tensor<8x64x128xf32> loc(#loc152)
    %651 = tensor.empty() : tensor<8x64x128xf32> loc(#loc153)
    %652 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<8x64x128xbf16>) outs(%651 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc54), %out: f32 loc(#loc153)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc153)
      linalg.yield %1360 : f32 loc(#loc153)
    } -> tensor<8x64x128xf32> loc(#loc153)
    %653 = tensor.empty() : tensor<128x128xf32> loc(#loc153)
    %654 = linalg.fill ins(%cst_8 : f32) outs(%653 : tensor<128x128xf32>) -> tensor<128x128xf32> loc(#loc153)
    %655 = linalg.generic {indexing_maps = [#map25, #map26, #map27], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%650, %652 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%654 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc153), %in_41: f32 loc(#loc153), %out: f32 loc(#loc153)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc153)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc153)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<128x128xf32> loc(#loc153)
    %656 = tensor.empty() : tensor<128x128xf32> loc(#loc154)
    %657 = linalg.generic {indexing_maps = [#map28, #map], iterator_types = ["parallel", "parallel"]} ins(%655 : tensor<128x128xf32>) outs(%656 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc153), %out: f32 loc(#loc154)):
      linalg.yield %in : f32 loc(#loc154)
    } -> tensor<128x128xf32> loc(#loc154)
    %658 = tensor.empty() : tensor<128x128xbf16> loc(#loc152)
    %659 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%657 : tensor<128x128xf32>) outs(%658 : tensor<128x128xbf16>) {
    ^bb0(%in: f32 loc(#loc154), %out: bf16 loc(#loc152)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc152)
      linalg.yield %1360 : bf16 loc(#loc152)
    } -> tensor<128x128xbf16> loc(#loc152)
    %660 = tensor.empty() : tensor<128x128xf32> loc(#loc153)
    %661 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<128x128xbf16>) outs(%660 : tensor<128x128xf32>) {
    ^bb0(%in: bf16 loc(#loc48), %out: f32 loc(#loc153)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc153)
      linalg.yield %1360 : f32 loc(#loc153)
    } -> tensor<128x128xf32> loc(#loc153)
    %662 = tensor.empty() : tensor<8x64x128xf32> loc(#loc153)
    %663 = linalg.fill ins(%cst_8 : f32) outs(%662 : tensor<8x64x128xf32>) -> tensor<8x64x128xf32> loc(#loc153)
    %664 = linalg.generic {indexing_maps = [#map11, #map20, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%650, %661 : tensor<8x64x128xf32>, tensor<128x128xf32>) outs(%663 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc153), %in_41: f32 loc(#loc153), %out: f32 loc(#loc153)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc153)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc153)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<8x64x128xf32> loc(#loc153)
    %665 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc152)
    %666 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%664 : tensor<8x64x128xf32>) outs(%665 : tensor<8x64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc153), %out: bf16 loc(#loc152)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc152)
      linalg.yield %1360 : bf16 loc(#loc152)
    } -> tensor<8x64x128xbf16> loc(#loc152)
    %667 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc155)
    %668 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%648, %666 : tensor<8x64x128xbf16>, tensor<8x64x128xbf16>) outs(%667 : tensor<8x64x128xbf16>) {
    ^bb0(%in: bf16 loc(#loc149), %in_41: bf16 loc(#loc152), %out: bf16 loc(#loc155)):
      %1360 = arith.addf %in, %in_41 : bf16 loc(#loc155)
      linalg.yield %1360 : bf16 loc(#loc155)
    } -> tensor<8x64x128xbf16> loc(#loc155)
    %collapsed_36 = tensor.collapse_shape %630 [[0], [1], [2, 3]] : tensor<8x64x4x32xbf16> into tensor<8x64x128xbf16> loc(#loc123)
    %669 = tensor.empty() : tensor<8x64x128xf32> loc(#loc156)
    %670 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_36 : tensor<8x64x128xbf16>) outs(%669 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc123), %out: f32 loc(#loc156)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc156)
      linalg.yield %1360 : f32 loc(#loc156)
    } -> tensor<8x64x128xf32> loc(#loc156)
    %671 = tensor.empty() : tensor<8x64x128xf32> loc(#loc157)
    %672 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<8x64x128xbf16>) outs(%671 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc54), %out: f32 loc(#loc157)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc157)
      linalg.yield %1360 : f32 loc(#loc157)
    } -> tensor<8x64x128xf32> loc(#loc157)
    %673 = tensor.empty() : tensor<128x128xf32> loc(#loc157)
    %674 = linalg.fill ins(%cst_8 : f32) outs(%673 : tensor<128x128xf32>) -> tensor<128x128xf32> loc(#loc157)
    %675 = linalg.generic {indexing_maps = [#map25, #map26, #map27], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%670, %672 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%674 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc157), %in_41: f32 loc(#loc157), %out: f32 loc(#loc157)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc157)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc157)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<128x128xf32> loc(#loc157)
    %676 = tensor.empty() : tensor<128x128xf32> loc(#loc158)
    %677 = linalg.generic {indexing_maps = [#map28, #map], iterator_types = ["parallel", "parallel"]} ins(%675 : tensor<128x128xf32>) outs(%676 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc157), %out: f32 loc(#loc158)):
      linalg.yield %in : f32 loc(#loc158)
    } -> tensor<128x128xf32> loc(#loc158)
    %678 = tensor.empty() : tensor<128x128xbf16> loc(#loc156)
    %679 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%677 : tensor<128x128xf32>) outs(%678 : tensor<128x128xbf16>) {
    ^bb0(%in: f32 loc(#loc158), %out: bf16 loc(#loc156)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc156)
      linalg.yield %1360 : bf16 loc(#loc156)
    } -> tensor<128x128xbf16> loc(#loc156)
    %680 = tensor.empty() : tensor<128x128xf32> loc(#loc157)
    %681 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<128x128xbf16>) outs(%680 : tensor<128x128xf32>) {
    ^bb0(%in: bf16 loc(#loc48), %out: f32 loc(#loc157)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc157)
      linalg.yield %1360 : f32 loc(#loc157)
    } -> tensor<128x128xf32> loc(#loc157)
    %682 = tensor.empty() : tensor<8x64x128xf32> loc(#loc157)
    %683 = linalg.fill ins(%cst_8 : f32) outs(%682 : tensor<8x64x128xf32>) -> tensor<8x64x128xf32> loc(#loc157)
    %684 = linalg.generic {indexing_maps = [#map11, #map20, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%670, %681 : tensor<8x64x128xf32>, tensor<128x128xf32>) outs(%683 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc157), %in_41: f32 loc(#loc157), %out: f32 loc(#loc157)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc157)
      %1361 = arith.addf %out, %1360 : f32 loc(#loc157)
      linalg.yield %1361 : f32 loc(#loc42)
    } -> tensor<8x64x128xf32> loc(#loc157)
    %685 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc156)
    %686 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%684 : tensor<8x64x128xf32>) outs(%685 : tensor<8x64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc157), %out: bf16 loc(#loc156)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc156)
      linalg.yield %1360 : bf16 loc(#loc156)
    } -> tensor<8x64x128xbf16> loc(#loc156)
    %687 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc159)
    %688 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%668, %686 : tensor<8x64x128xbf16>, tensor<8x64x128xbf16>) outs(%687 : tensor<8x64x128xbf16>) {
    ^bb0(%in: bf16 loc(#loc155), %in_41: bf16 loc(#loc156), %out: bf16 loc(#loc159)):
      %1360 = arith.addf %in, %in_41 : bf16 loc(#loc159)
      linalg.yield %1360 : bf16 loc(#loc159)
    } -> tensor<8x64x128xbf16> loc(#loc159)
    %689 = tensor.empty() : tensor<8x64x128xf32> loc(#loc121)
    %690 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%688 : tensor<8x64x128xbf16>) outs(%689 : tensor<8x64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc159), %out: f32 loc(#loc121)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc121)
      linalg.yield %1360 : f32 loc(#loc121)
    } -> tensor<8x64x128xf32> loc(#loc121)
    %691 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %692 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %690 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%691 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc55), %in_41: f32 loc(#loc121), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %693 = tensor.empty() : tensor<128xf32> loc(#loc122)
    %694 = linalg.fill ins(%cst_8 : f32) outs(%693 : tensor<128xf32>) -> tensor<128xf32> loc(#loc122)
    %695 = linalg.generic {indexing_maps = [#map29, #map30], iterator_types = ["parallel", "reduction", "reduction"]} ins(%692 : tensor<8x64x128xf32>) outs(%694 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc122), %out: f32 loc(#loc122)):
      %1360 = arith.addf %out, %in : f32 loc(#loc122)
      linalg.yield %1360 : f32 loc(#loc122)
    } -> tensor<128xf32> loc(#loc122)
    %expanded_37 = tensor.expand_shape %695 [[0, 1, 2]] output_shape [1, 1, 128] : tensor<128xf32> into tensor<1x1x128xf32> loc(#loc123)
    %696 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %697 = linalg.generic {indexing_maps = [#map10, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<1x1x128xf32>) outs(%696 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc52), %out: f32 loc(#loc110)):
      linalg.yield %in : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %698 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %699 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%690, %697 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%698 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc121), %in_41: f32 loc(#loc110), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %700 = tensor.empty() : tensor<128xf32> loc(#loc122)
    %701 = linalg.fill ins(%cst_8 : f32) outs(%700 : tensor<128xf32>) -> tensor<128xf32> loc(#loc122)
    %702 = linalg.generic {indexing_maps = [#map29, #map30], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded_37 : tensor<1x1x128xf32>) outs(%701 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc122), %out: f32 loc(#loc122)):
      %1360 = arith.addf %out, %in : f32 loc(#loc122)
      linalg.yield %1360 : f32 loc(#loc122)
    } -> tensor<128xf32> loc(#loc122)
    %703 = tensor.empty() : tensor<128xbf16> loc(#loc121)
    %704 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%702 : tensor<128xf32>) outs(%703 : tensor<128xbf16>) {
    ^bb0(%in: f32 loc(#loc122), %out: bf16 loc(#loc121)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc121)
      linalg.yield %1360 : bf16 loc(#loc121)
    } -> tensor<128xbf16> loc(#loc121)
    %705 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %706 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47, %699 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%705 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc54), %in_41: f32 loc(#loc110), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %707 = tensor.empty() : tensor<8x64xf32> loc(#loc122)
    %708 = linalg.fill ins(%cst_8 : f32) outs(%707 : tensor<8x64xf32>) -> tensor<8x64xf32> loc(#loc122)
    %709 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%706 : tensor<8x64x128xf32>) outs(%708 : tensor<8x64xf32>) {
    ^bb0(%in: f32 loc(#loc122), %out: f32 loc(#loc122)):
      %1360 = arith.addf %out, %in : f32 loc(#loc122)
      linalg.yield %1360 : f32 loc(#loc122)
    } -> tensor<8x64xf32> loc(#loc122)
    %expanded_38 = tensor.expand_shape %709 [[0], [1, 2]] output_shape [8, 64, 1] : tensor<8x64xf32> into tensor<8x64x1xf32> loc(#loc123)
    %710 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %711 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<8x64x1xf32>) outs(%710 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc58), %out: f32 loc(#loc110)):
      linalg.yield %in : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %712 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %713 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%699, %711 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%712 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc110), %in_41: f32 loc(#loc110), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %714 = tensor.empty() : tensor<8x64x1xf32> loc(#loc110)
    %715 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_38, %70 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%714 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc123), %in_41: f32 loc(#loc55), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x1xf32> loc(#loc110)
    %716 = tensor.empty() : tensor<8x64x1xf32> loc(#loc108)
    %717 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_21 : tensor<f32>) outs(%716 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc108)):
      linalg.yield %in : f32 loc(#loc108)
    } -> tensor<8x64x1xf32> loc(#loc108)
    %718 = tensor.empty() : tensor<8x64x1xf32> loc(#loc108)
    %719 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%715, %717 : tensor<8x64x1xf32>, tensor<8x64x1xf32>) outs(%718 : tensor<8x64x1xf32>) {
    ^bb0(%in: f32 loc(#loc110), %in_41: f32 loc(#loc108), %out: f32 loc(#loc108)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc108)
      linalg.yield %1360 : f32 loc(#loc108)
    } -> tensor<8x64x1xf32> loc(#loc108)
    %720 = tensor.empty() : tensor<8x64xf32> loc(#loc122)
    %721 = linalg.fill ins(%cst_8 : f32) outs(%720 : tensor<8x64xf32>) -> tensor<8x64xf32> loc(#loc122)
    %722 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%719 : tensor<8x64x1xf32>) outs(%721 : tensor<8x64xf32>) {
    ^bb0(%in: f32 loc(#loc122), %out: f32 loc(#loc122)):
      %1360 = arith.addf %out, %in : f32 loc(#loc122)
      linalg.yield %1360 : f32 loc(#loc122)
    } -> tensor<8x64xf32> loc(#loc122)
    %723 = tensor.empty() : tensor<8x64x128xf32> loc(#loc109)
    %724 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%722 : tensor<8x64xf32>) outs(%723 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc122), %out: f32 loc(#loc109)):
      linalg.yield %in : f32 loc(#loc109)
    } -> tensor<8x64x128xf32> loc(#loc109)
    %725 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %726 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47, %724 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%725 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc54), %in_41: f32 loc(#loc109), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %727 = tensor.empty() : tensor<8x64x128xf32> loc(#loc124)
    %728 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%713, %726 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%727 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc110), %in_41: f32 loc(#loc110), %out: f32 loc(#loc124)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc124)
      linalg.yield %1360 : f32 loc(#loc124)
    } -> tensor<8x64x128xf32> loc(#loc124)
    %729 = tensor.empty() : tensor<8x64x128xf32> loc(#loc110)
    %730 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%724, %47 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%729 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc109), %in_41: f32 loc(#loc54), %out: f32 loc(#loc110)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc110)
      linalg.yield %1360 : f32 loc(#loc110)
    } -> tensor<8x64x128xf32> loc(#loc110)
    %731 = tensor.empty() : tensor<8x64x128xf32> loc(#loc124)
    %732 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%728, %730 : tensor<8x64x128xf32>, tensor<8x64x128xf32>) outs(%731 : tensor<8x64x128xf32>) {
    ^bb0(%in: f32 loc(#loc124), %in_41: f32 loc(#loc110), %out: f32 loc(#loc124)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc124)
      linalg.yield %1360 : f32 loc(#loc124)
    } -> tensor<8x64x128xf32> loc(#loc124)
    %733 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc121)
    %734 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%732 : tensor<8x64x128xf32>) outs(%733 : tensor<8x64x128xbf16>) {
    ^bb0(%in: f32 loc(#loc124), %out: bf16 loc(#loc121)):
      %1360 = arith.truncf %in : f32 to bf16 loc(#loc121)
      linalg.yield %1360 : bf16 loc(#loc121)
    } -> tensor<8x64x128xbf16> loc(#loc121)
    %735 = tensor.empty() : tensor<8x64x128xbf16> loc(#loc124)
    %736 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%540, %734 : tensor<8x64x128xbf16>, tensor<8x64x128xbf16>) outs(%735 : tensor<8x64x128xbf16>) {
    ^bb0(%in: bf16 loc(#loc124), %in_41: bf16 loc(#loc121), %out: bf16 loc(#loc124)):
      %1360 = arith.addf %in, %in_41 : bf16 loc(#loc124)
      linalg.yield %1360 : bf16 loc(#loc124)
    } -> tensor<8x64x128xbf16> loc(#loc124)
    %737 = tensor.empty() : tensor<64x128xbf16> loc(#loc122)
    %738 = linalg.fill ins(%cst_2 : bf16) outs(%737 : tensor<64x128xbf16>) -> tensor<64x128xbf16> loc(#loc122)
    %739 = linalg.generic {indexing_maps = [#map37, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%736 : tensor<8x64x128xbf16>) outs(%738 : tensor<64x128xbf16>) {
    ^bb0(%in: bf16 loc(#loc122), %out: bf16 loc(#loc122)):
      %1360 = arith.addf %out, %in : bf16 loc(#loc122)
      linalg.yield %1360 : bf16 loc(#loc122)
    } -> tensor<64x128xbf16> loc(#loc122)
    %expanded_39 = tensor.expand_shape %739 [[0, 1], [2]] output_shape [1, 64, 128] : tensor<64x128xbf16> into tensor<1x64x128xbf16> loc(#loc123)
    %740 = tensor.empty() : tensor<64x128xbf16> loc(#loc122)
    %741 = linalg.fill ins(%cst_2 : bf16) outs(%740 : tensor<64x128xbf16>) -> tensor<64x128xbf16> loc(#loc122)
    %742 = linalg.generic {indexing_maps = [#map37, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded_39 : tensor<1x64x128xbf16>) outs(%741 : tensor<64x128xbf16>) {
    ^bb0(%in: bf16 loc(#loc122), %out: bf16 loc(#loc122)):
      %1360 = arith.addf %out, %in : bf16 loc(#loc122)
      linalg.yield %1360 : bf16 loc(#loc122)
    } -> tensor<64x128xbf16> loc(#loc122)
    %743 = tensor.empty() : tensor<96x128xbf16> loc(#loc109)
    %744 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_15 : tensor<bf16>) outs(%743 : tensor<96x128xbf16>) {
    ^bb0(%in: bf16 loc(#loc42), %out: bf16 loc(#loc109)):
      linalg.yield %in : bf16 loc(#loc109)
    } -> tensor<96x128xbf16> loc(#loc109)
    %c96 = arith.constant 96 : index loc(#loc160)
    %c0_40 = arith.constant 0 : index loc(#loc160)
    %c1 = arith.constant 1 : index loc(#loc160)
    %c65536 = arith.constant 65536 : index loc(#loc160)
    %c8 = arith.constant 8 : index loc(#loc160)
    %c64 = arith.constant 64 : index loc(#loc160)
    %c128 = arith.constant 128 : index loc(#loc160)
    %745 = scf.for %arg42 = %c0_40 to %c65536 step %c1 iter_args(%arg43 = %744) -> (tensor<96x128xbf16>) {
      %1360 = arith.remui %arg42, %c128 : index loc(#loc160)
      %1361 = arith.divui %arg42, %c128 : index loc(#loc160)
      %1362 = arith.remui %1361, %c64 : index loc(#loc160)
      %1363 = arith.divui %1361, %c64 : index loc(#loc160)
      %1364 = arith.remui %1363, %c8 : index loc(#loc160)
      %extracted = tensor.extract %37[%1364, %1362, %c0_40] : tensor<8x64x1xi32> loc(#loc160)
      %1365 = arith.index_cast %extracted : i32 to index loc(#loc160)
      %1366 = arith.cmpi ult, %1365, %c96 : index loc(#loc160)
      %1367 = arith.select %1366, %1365, %c0_40 : index loc(#loc160)
      %1368 = arith.select %1366, %1360, %c0_40 : index loc(#loc160)
      %extracted_41 = tensor.extract %arg43[%1367, %1368] : tensor<96x128xbf16> loc(#loc160)
      %extracted_42 = tensor.extract %736[%1364, %1362, %1360] : tensor<8x64x128xbf16> loc(#loc160)
      %1369 = arith.addf %extracted_41, %extracted_42 : bf16 loc(#loc160)
      %1370 = arith.select %1366, %1369, %extracted_41 : bf16 loc(#loc160)
      %inserted = tensor.insert %1370 into %arg43[%1367, %1368] : tensor<96x128xbf16> loc(#loc160)
      scf.yield %inserted : tensor<96x128xbf16> loc(#loc160)
    } loc(#loc160)
    %746 = tensor.empty() : tensor<384x128xf32> loc(#loc48)
    %747 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%435 : tensor<384x128xbf16>) outs(%746 : tensor<384x128xf32>) {
    ^bb0(%in: bf16 loc(#loc125), %out: f32 loc(#loc48)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc48)
      linalg.yield %1360 : f32 loc(#loc48)
    } -> tensor<384x128xf32> loc(#loc48)
    %748 = tensor.empty() : tensor<96x128xf32> loc(#loc48)
    %749 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%745 : tensor<96x128xbf16>) outs(%748 : tensor<96x128xf32>) {
    ^bb0(%in: bf16 loc(#loc160), %out: f32 loc(#loc48)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc48)
      linalg.yield %1360 : f32 loc(#loc48)
    } -> tensor<96x128xf32> loc(#loc48)
    %750 = tensor.empty() : tensor<128xf32> loc(#loc48)
    %751 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%704 : tensor<128xbf16>) outs(%750 : tensor<128xf32>) {
    ^bb0(%in: bf16 loc(#loc121), %out: f32 loc(#loc48)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc48)
      linalg.yield %1360 : f32 loc(#loc48)
    } -> tensor<128xf32> loc(#loc48)
    %752 = tensor.empty() : tensor<128xf32> loc(#loc48)
    %753 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%508 : tensor<128xbf16>) outs(%752 : tensor<128xf32>) {
    ^bb0(%in: bf16 loc(#loc121), %out: f32 loc(#loc48)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc48)
      linalg.yield %1360 : f32 loc(#loc48)
    } -> tensor<128xf32> loc(#loc48)
    %754 = tensor.empty() : tensor<128xf32> loc(#loc48)
    %755 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%394 : tensor<128xbf16>) outs(%754 : tensor<128xf32>) {
    ^bb0(%in: bf16 loc(#loc121), %out: f32 loc(#loc48)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc48)
      linalg.yield %1360 : f32 loc(#loc48)
    } -> tensor<128xf32> loc(#loc48)
    %756 = tensor.empty() : tensor<128x384xf32> loc(#loc48)
    %757 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%483 : tensor<128x384xbf16>) outs(%756 : tensor<128x384xf32>) {
    ^bb0(%in: bf16 loc(#loc133), %out: f32 loc(#loc48)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc48)
      linalg.yield %1360 : f32 loc(#loc48)
    } -> tensor<128x384xf32> loc(#loc48)
    %758 = tensor.empty() : tensor<128x96xf32> loc(#loc48)
    %759 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%371 : tensor<128x96xbf16>) outs(%758 : tensor<128x96xf32>) {
    ^bb0(%in: bf16 loc(#loc120), %out: f32 loc(#loc48)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc48)
      linalg.yield %1360 : f32 loc(#loc48)
    } -> tensor<128x96xf32> loc(#loc48)
    %760 = tensor.empty() : tensor<128x128xf32> loc(#loc48)
    %761 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%659 : tensor<128x128xbf16>) outs(%760 : tensor<128x128xf32>) {
    ^bb0(%in: bf16 loc(#loc152), %out: f32 loc(#loc48)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc48)
      linalg.yield %1360 : f32 loc(#loc48)
    } -> tensor<128x128xf32> loc(#loc48)
    %762 = tensor.empty() : tensor<64x128xf32> loc(#loc48)
    %763 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%742 : tensor<64x128xbf16>) outs(%762 : tensor<64x128xf32>) {
    ^bb0(%in: bf16 loc(#loc122), %out: f32 loc(#loc48)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc48)
      linalg.yield %1360 : f32 loc(#loc48)
    } -> tensor<64x128xf32> loc(#loc48)
    %764 = tensor.empty() : tensor<128x128xf32> loc(#loc48)
    %765 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%551 : tensor<128x128xbf16>) outs(%764 : tensor<128x128xf32>) {
    ^bb0(%in: bf16 loc(#loc137), %out: f32 loc(#loc48)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc48)
      linalg.yield %1360 : f32 loc(#loc48)
    } -> tensor<128x128xf32> loc(#loc48)
    %766 = tensor.empty() : tensor<128x128xf32> loc(#loc48)
    %767 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%679 : tensor<128x128xbf16>) outs(%766 : tensor<128x128xf32>) {
    ^bb0(%in: bf16 loc(#loc156), %out: f32 loc(#loc48)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc48)
      linalg.yield %1360 : f32 loc(#loc48)
    } -> tensor<128x128xf32> loc(#loc48)
    %768 = tensor.empty() : tensor<128x384xf32> loc(#loc48)
    %769 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%457 : tensor<128x384xbf16>) outs(%768 : tensor<128x384xf32>) {
    ^bb0(%in: bf16 loc(#loc128), %out: f32 loc(#loc48)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc48)
      linalg.yield %1360 : f32 loc(#loc48)
    } -> tensor<128x384xf32> loc(#loc48)
    %770 = tensor.empty() : tensor<128x128xf32> loc(#loc48)
    %771 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%641 : tensor<128x128xbf16>) outs(%770 : tensor<128x128xf32>) {
    ^bb0(%in: bf16 loc(#loc149), %out: f32 loc(#loc48)):
      %1360 = arith.extf %in : bf16 to f32 loc(#loc48)
      linalg.yield %1360 : f32 loc(#loc48)
    } -> tensor<128x128xf32> loc(#loc48)
    %772 = tensor.empty() : tensor<i32> loc(#loc44)
    %773 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%arg39 : tensor<i32>) outs(%772 : tensor<i32>) {
    ^bb0(%in: i32 loc(#loc39), %out: i32 loc(#loc44)):
      %1360 = arith.addi %in, %c1_i32 : i32 loc(#loc44)
      linalg.yield %1360 : i32 loc(#loc44)
    } -> tensor<i32> loc(#loc44)
    %774 = tensor.empty() : tensor<f32> loc(#loc48)
    %775 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%773 : tensor<i32>) outs(%774 : tensor<f32>) {
    ^bb0(%in: i32 loc(#loc44), %out: f32 loc(#loc48)):
      %1360 = arith.sitofp %in : i32 to f32 loc(#loc48)
      linalg.yield %1360 : f32 loc(#loc48)
    } -> tensor<f32> loc(#loc48)
    %776 = tensor.empty() : tensor<f32> loc(#loc43)
    %777 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%775 : tensor<f32>) outs(%776 : tensor<f32>) {
    ^bb0(%in: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %cst_1 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<f32> loc(#loc43)
    %778 = tensor.empty() : tensor<f32> loc(#loc161)
    %779 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%777 : tensor<f32>) outs(%778 : tensor<f32>) {
    ^bb0(%in: f32 loc(#loc43), %out: f32 loc(#loc161)):
      %1360 = math.exp %in : f32 loc(#loc161)
      linalg.yield %1360 : f32 loc(#loc161)
    } -> tensor<f32> loc(#loc161)
    %780 = tensor.empty() : tensor<f32> loc(#loc162)
    %781 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%779 : tensor<f32>) outs(%780 : tensor<f32>) {
    ^bb0(%in: f32 loc(#loc161), %out: f32 loc(#loc162)):
      %1360 = arith.subf %cst_3, %in : f32 loc(#loc162)
      linalg.yield %1360 : f32 loc(#loc162)
    } -> tensor<f32> loc(#loc162)
    %782 = tensor.empty() : tensor<f32> loc(#loc43)
    %783 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%775 : tensor<f32>) outs(%782 : tensor<f32>) {
    ^bb0(%in: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %cst_0 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<f32> loc(#loc43)
    %784 = tensor.empty() : tensor<f32> loc(#loc161)
    %785 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%783 : tensor<f32>) outs(%784 : tensor<f32>) {
    ^bb0(%in: f32 loc(#loc43), %out: f32 loc(#loc161)):
      %1360 = math.exp %in : f32 loc(#loc161)
      linalg.yield %1360 : f32 loc(#loc161)
    } -> tensor<f32> loc(#loc161)
    %786 = tensor.empty() : tensor<f32> loc(#loc162)
    %787 = linalg.generic {indexing_maps = [#map19, #map19], iterator_types = []} ins(%785 : tensor<f32>) outs(%786 : tensor<f32>) {
    ^bb0(%in: f32 loc(#loc161), %out: f32 loc(#loc162)):
      %1360 = arith.subf %cst_3, %in : f32 loc(#loc162)
      linalg.yield %1360 : f32 loc(#loc162)
    } -> tensor<f32> loc(#loc162)
    %788 = tensor.empty() : tensor<384x128xf32> loc(#loc43)
    %789 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_14 : tensor<f32>) outs(%788 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<384x128xf32> loc(#loc43)
    %790 = tensor.empty() : tensor<384x128xf32> loc(#loc43)
    %791 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%789, %arg13 : tensor<384x128xf32>, tensor<384x128xf32>) outs(%790 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc13), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<384x128xf32> loc(#loc43)
    %792 = tensor.empty() : tensor<384x128xf32> loc(#loc43)
    %793 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%792 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<384x128xf32> loc(#loc43)
    %794 = tensor.empty() : tensor<384x128xf32> loc(#loc43)
    %795 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%793, %747 : tensor<384x128xf32>, tensor<384x128xf32>) outs(%794 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<384x128xf32> loc(#loc43)
    %796 = tensor.empty() : tensor<384x128xf32> loc(#loc44)
    %797 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%791, %795 : tensor<384x128xf32>, tensor<384x128xf32>) outs(%796 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<384x128xf32> loc(#loc44)
    %798 = tensor.empty() : tensor<96x128xf32> loc(#loc43)
    %799 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_14 : tensor<f32>) outs(%798 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<96x128xf32> loc(#loc43)
    %800 = tensor.empty() : tensor<96x128xf32> loc(#loc43)
    %801 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%799, %arg14 : tensor<96x128xf32>, tensor<96x128xf32>) outs(%800 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc14), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<96x128xf32> loc(#loc43)
    %802 = tensor.empty() : tensor<96x128xf32> loc(#loc43)
    %803 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%802 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<96x128xf32> loc(#loc43)
    %804 = tensor.empty() : tensor<96x128xf32> loc(#loc43)
    %805 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%803, %749 : tensor<96x128xf32>, tensor<96x128xf32>) outs(%804 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<96x128xf32> loc(#loc43)
    %806 = tensor.empty() : tensor<96x128xf32> loc(#loc44)
    %807 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%801, %805 : tensor<96x128xf32>, tensor<96x128xf32>) outs(%806 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<96x128xf32> loc(#loc44)
    %808 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %809 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%cst_14 : tensor<f32>) outs(%808 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %810 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %811 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%809, %arg15 : tensor<128xf32>, tensor<128xf32>) outs(%810 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc15), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %812 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %813 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%cst_13 : tensor<f32>) outs(%812 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %814 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %815 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%813, %751 : tensor<128xf32>, tensor<128xf32>) outs(%814 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %816 = tensor.empty() : tensor<128xf32> loc(#loc44)
    %817 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%811, %815 : tensor<128xf32>, tensor<128xf32>) outs(%816 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128xf32> loc(#loc44)
    %818 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %819 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%cst_14 : tensor<f32>) outs(%818 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %820 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %821 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%819, %arg16 : tensor<128xf32>, tensor<128xf32>) outs(%820 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc16), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %822 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %823 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%cst_13 : tensor<f32>) outs(%822 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %824 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %825 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%823, %753 : tensor<128xf32>, tensor<128xf32>) outs(%824 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %826 = tensor.empty() : tensor<128xf32> loc(#loc44)
    %827 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%821, %825 : tensor<128xf32>, tensor<128xf32>) outs(%826 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128xf32> loc(#loc44)
    %828 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %829 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%cst_14 : tensor<f32>) outs(%828 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %830 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %831 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%829, %arg17 : tensor<128xf32>, tensor<128xf32>) outs(%830 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc17), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %832 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %833 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%cst_13 : tensor<f32>) outs(%832 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %834 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %835 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%833, %755 : tensor<128xf32>, tensor<128xf32>) outs(%834 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %836 = tensor.empty() : tensor<128xf32> loc(#loc44)
    %837 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%831, %835 : tensor<128xf32>, tensor<128xf32>) outs(%836 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128xf32> loc(#loc44)
    %838 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %839 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_14 : tensor<f32>) outs(%838 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %840 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %841 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%839, %arg18 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%840 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc18), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %842 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %843 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%842 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %844 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %845 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%843, %757 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%844 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %846 = tensor.empty() : tensor<128x384xf32> loc(#loc44)
    %847 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%841, %845 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%846 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x384xf32> loc(#loc44)
    %848 = tensor.empty() : tensor<128x96xf32> loc(#loc43)
    %849 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_14 : tensor<f32>) outs(%848 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x96xf32> loc(#loc43)
    %850 = tensor.empty() : tensor<128x96xf32> loc(#loc43)
    %851 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%849, %arg19 : tensor<128x96xf32>, tensor<128x96xf32>) outs(%850 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc19), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x96xf32> loc(#loc43)
    %852 = tensor.empty() : tensor<128x96xf32> loc(#loc43)
    %853 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%852 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x96xf32> loc(#loc43)
    %854 = tensor.empty() : tensor<128x96xf32> loc(#loc43)
    %855 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%853, %759 : tensor<128x96xf32>, tensor<128x96xf32>) outs(%854 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x96xf32> loc(#loc43)
    %856 = tensor.empty() : tensor<128x96xf32> loc(#loc44)
    %857 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%851, %855 : tensor<128x96xf32>, tensor<128x96xf32>) outs(%856 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x96xf32> loc(#loc44)
    %858 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %859 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_14 : tensor<f32>) outs(%858 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %860 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %861 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%859, %arg20 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%860 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc20), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %862 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %863 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%862 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %864 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %865 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%863, %761 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%864 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %866 = tensor.empty() : tensor<128x128xf32> loc(#loc44)
    %867 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%861, %865 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%866 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x128xf32> loc(#loc44)
    %868 = tensor.empty() : tensor<64x128xf32> loc(#loc43)
    %869 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_14 : tensor<f32>) outs(%868 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<64x128xf32> loc(#loc43)
    %870 = tensor.empty() : tensor<64x128xf32> loc(#loc43)
    %871 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%869, %arg21 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%870 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc21), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<64x128xf32> loc(#loc43)
    %872 = tensor.empty() : tensor<64x128xf32> loc(#loc43)
    %873 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%872 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<64x128xf32> loc(#loc43)
    %874 = tensor.empty() : tensor<64x128xf32> loc(#loc43)
    %875 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%873, %763 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%874 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<64x128xf32> loc(#loc43)
    %876 = tensor.empty() : tensor<64x128xf32> loc(#loc44)
    %877 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%871, %875 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%876 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<64x128xf32> loc(#loc44)
    %878 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %879 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_14 : tensor<f32>) outs(%878 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %880 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %881 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%879, %arg22 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%880 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc22), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %882 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %883 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%882 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %884 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %885 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%883, %765 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%884 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %886 = tensor.empty() : tensor<128x128xf32> loc(#loc44)
    %887 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%881, %885 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%886 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x128xf32> loc(#loc44)
    %888 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %889 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_14 : tensor<f32>) outs(%888 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %890 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %891 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%889, %arg23 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%890 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc23), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %892 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %893 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%892 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %894 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %895 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%893, %767 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%894 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %896 = tensor.empty() : tensor<128x128xf32> loc(#loc44)
    %897 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%891, %895 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%896 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x128xf32> loc(#loc44)
    %898 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %899 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_14 : tensor<f32>) outs(%898 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %900 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %901 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%899, %arg24 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%900 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc24), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %902 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %903 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%902 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %904 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %905 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%903, %769 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%904 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %906 = tensor.empty() : tensor<128x384xf32> loc(#loc44)
    %907 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%901, %905 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%906 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x384xf32> loc(#loc44)
    %908 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %909 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_14 : tensor<f32>) outs(%908 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %910 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %911 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%909, %arg25 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%910 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc25), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %912 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %913 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%912 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %914 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %915 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%913, %771 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%914 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %916 = tensor.empty() : tensor<128x128xf32> loc(#loc44)
    %917 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%911, %915 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%916 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x128xf32> loc(#loc44)
    %918 = tensor.empty() : tensor<384x128xf32> loc(#loc43)
    %919 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%918 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<384x128xf32> loc(#loc43)
    %920 = tensor.empty() : tensor<384x128xf32> loc(#loc43)
    %921 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%919, %arg26 : tensor<384x128xf32>, tensor<384x128xf32>) outs(%920 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc26), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<384x128xf32> loc(#loc43)
    %922 = tensor.empty() : tensor<384x128xf32> loc(#loc43)
    %923 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%922 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<384x128xf32> loc(#loc43)
    %924 = tensor.empty() : tensor<384x128xf32> loc(#loc43)
    %925 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%923, %747 : tensor<384x128xf32>, tensor<384x128xf32>) outs(%924 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<384x128xf32> loc(#loc43)
    %926 = tensor.empty() : tensor<384x128xf32> loc(#loc43)
    %927 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%925, %747 : tensor<384x128xf32>, tensor<384x128xf32>) outs(%926 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<384x128xf32> loc(#loc43)
    %928 = tensor.empty() : tensor<384x128xf32> loc(#loc44)
    %929 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%921, %927 : tensor<384x128xf32>, tensor<384x128xf32>) outs(%928 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<384x128xf32> loc(#loc44)
    %930 = tensor.empty() : tensor<96x128xf32> loc(#loc43)
    %931 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%930 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<96x128xf32> loc(#loc43)
    %932 = tensor.empty() : tensor<96x128xf32> loc(#loc43)
    %933 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%931, %arg27 : tensor<96x128xf32>, tensor<96x128xf32>) outs(%932 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc27), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<96x128xf32> loc(#loc43)
    %934 = tensor.empty() : tensor<96x128xf32> loc(#loc43)
    %935 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%934 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<96x128xf32> loc(#loc43)
    %936 = tensor.empty() : tensor<96x128xf32> loc(#loc43)
    %937 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%935, %749 : tensor<96x128xf32>, tensor<96x128xf32>) outs(%936 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<96x128xf32> loc(#loc43)
    %938 = tensor.empty() : tensor<96x128xf32> loc(#loc43)
    %939 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%937, %749 : tensor<96x128xf32>, tensor<96x128xf32>) outs(%938 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<96x128xf32> loc(#loc43)
    %940 = tensor.empty() : tensor<96x128xf32> loc(#loc44)
    %941 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%933, %939 : tensor<96x128xf32>, tensor<96x128xf32>) outs(%940 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<96x128xf32> loc(#loc44)
    %942 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %943 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%cst_12 : tensor<f32>) outs(%942 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %944 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %945 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%943, %arg28 : tensor<128xf32>, tensor<128xf32>) outs(%944 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc28), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %946 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %947 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%cst_11 : tensor<f32>) outs(%946 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %948 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %949 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%947, %751 : tensor<128xf32>, tensor<128xf32>) outs(%948 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %950 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %951 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%949, %751 : tensor<128xf32>, tensor<128xf32>) outs(%950 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %952 = tensor.empty() : tensor<128xf32> loc(#loc44)
    %953 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%945, %951 : tensor<128xf32>, tensor<128xf32>) outs(%952 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128xf32> loc(#loc44)
    %954 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %955 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%cst_12 : tensor<f32>) outs(%954 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %956 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %957 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%955, %arg29 : tensor<128xf32>, tensor<128xf32>) outs(%956 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc29), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %958 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %959 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%cst_11 : tensor<f32>) outs(%958 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %960 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %961 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%959, %753 : tensor<128xf32>, tensor<128xf32>) outs(%960 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %962 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %963 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%961, %753 : tensor<128xf32>, tensor<128xf32>) outs(%962 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %964 = tensor.empty() : tensor<128xf32> loc(#loc44)
    %965 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%957, %963 : tensor<128xf32>, tensor<128xf32>) outs(%964 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128xf32> loc(#loc44)
    %966 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %967 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%cst_12 : tensor<f32>) outs(%966 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %968 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %969 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%967, %arg30 : tensor<128xf32>, tensor<128xf32>) outs(%968 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc30), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %970 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %971 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%cst_11 : tensor<f32>) outs(%970 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %972 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %973 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%971, %755 : tensor<128xf32>, tensor<128xf32>) outs(%972 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %974 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %975 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%973, %755 : tensor<128xf32>, tensor<128xf32>) outs(%974 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %976 = tensor.empty() : tensor<128xf32> loc(#loc44)
    %977 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%969, %975 : tensor<128xf32>, tensor<128xf32>) outs(%976 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128xf32> loc(#loc44)
    %978 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %979 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%978 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %980 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %981 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%979, %arg31 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%980 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc31), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %982 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %983 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%982 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %984 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %985 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%983, %757 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%984 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %986 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %987 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%985, %757 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%986 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %988 = tensor.empty() : tensor<128x384xf32> loc(#loc44)
    %989 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%981, %987 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%988 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x384xf32> loc(#loc44)
    %990 = tensor.empty() : tensor<128x96xf32> loc(#loc43)
    %991 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%990 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x96xf32> loc(#loc43)
    %992 = tensor.empty() : tensor<128x96xf32> loc(#loc43)
    %993 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%991, %arg32 : tensor<128x96xf32>, tensor<128x96xf32>) outs(%992 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc32), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x96xf32> loc(#loc43)
    %994 = tensor.empty() : tensor<128x96xf32> loc(#loc43)
    %995 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%994 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x96xf32> loc(#loc43)
    %996 = tensor.empty() : tensor<128x96xf32> loc(#loc43)
    %997 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%995, %759 : tensor<128x96xf32>, tensor<128x96xf32>) outs(%996 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x96xf32> loc(#loc43)
    %998 = tensor.empty() : tensor<128x96xf32> loc(#loc43)
    %999 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%997, %759 : tensor<128x96xf32>, tensor<128x96xf32>) outs(%998 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x96xf32> loc(#loc43)
    %1000 = tensor.empty() : tensor<128x96xf32> loc(#loc44)
    %1001 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%993, %999 : tensor<128x96xf32>, tensor<128x96xf32>) outs(%1000 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x96xf32> loc(#loc44)
    %1002 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1003 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%1002 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1004 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1005 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1003, %arg33 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1004 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc33), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1006 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1007 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%1006 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1008 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1009 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1007, %761 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1008 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1010 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1011 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1009, %761 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1010 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1012 = tensor.empty() : tensor<128x128xf32> loc(#loc44)
    %1013 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1005, %1011 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1012 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x128xf32> loc(#loc44)
    %1014 = tensor.empty() : tensor<64x128xf32> loc(#loc43)
    %1015 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%1014 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<64x128xf32> loc(#loc43)
    %1016 = tensor.empty() : tensor<64x128xf32> loc(#loc43)
    %1017 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1015, %arg34 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%1016 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc34), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<64x128xf32> loc(#loc43)
    %1018 = tensor.empty() : tensor<64x128xf32> loc(#loc43)
    %1019 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%1018 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<64x128xf32> loc(#loc43)
    %1020 = tensor.empty() : tensor<64x128xf32> loc(#loc43)
    %1021 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1019, %763 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%1020 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<64x128xf32> loc(#loc43)
    %1022 = tensor.empty() : tensor<64x128xf32> loc(#loc43)
    %1023 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1021, %763 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%1022 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<64x128xf32> loc(#loc43)
    %1024 = tensor.empty() : tensor<64x128xf32> loc(#loc44)
    %1025 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1017, %1023 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%1024 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<64x128xf32> loc(#loc44)
    %1026 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1027 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%1026 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1028 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1029 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1027, %arg35 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1028 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc35), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1030 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1031 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%1030 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1032 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1033 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1031, %765 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1032 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1034 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1035 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1033, %765 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1034 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1036 = tensor.empty() : tensor<128x128xf32> loc(#loc44)
    %1037 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1029, %1035 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1036 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x128xf32> loc(#loc44)
    %1038 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1039 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%1038 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1040 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1041 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1039, %arg36 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1040 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc36), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1042 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1043 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%1042 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1044 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1045 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1043, %767 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1044 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1046 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1047 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1045, %767 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1046 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1048 = tensor.empty() : tensor<128x128xf32> loc(#loc44)
    %1049 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1041, %1047 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1048 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x128xf32> loc(#loc44)
    %1050 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %1051 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%1050 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %1052 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %1053 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1051, %arg37 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%1052 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc37), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %1054 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %1055 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%1054 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %1056 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %1057 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1055, %769 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%1056 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %1058 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %1059 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1057, %769 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%1058 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %1060 = tensor.empty() : tensor<128x384xf32> loc(#loc44)
    %1061 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1053, %1059 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%1060 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x384xf32> loc(#loc44)
    %1062 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1063 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%1062 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1064 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1065 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1063, %arg38 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1064 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc38), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1066 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1067 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%1066 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1068 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1069 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1067, %771 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1068 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1070 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1071 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1069, %771 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1070 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc48), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1072 = tensor.empty() : tensor<128x128xf32> loc(#loc44)
    %1073 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1065, %1071 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1072 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc43), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x128xf32> loc(#loc44)
    %1074 = tensor.empty() : tensor<384x128xf32> loc(#loc163)
    %1075 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%781 : tensor<f32>) outs(%1074 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<384x128xf32> loc(#loc163)
    %1076 = tensor.empty() : tensor<384x128xf32> loc(#loc163)
    %1077 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%797, %1075 : tensor<384x128xf32>, tensor<384x128xf32>) outs(%1076 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<384x128xf32> loc(#loc163)
    %1078 = tensor.empty() : tensor<384x128xf32> loc(#loc43)
    %1079 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%1078 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<384x128xf32> loc(#loc43)
    %1080 = tensor.empty() : tensor<384x128xf32> loc(#loc43)
    %1081 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1079, %1077 : tensor<384x128xf32>, tensor<384x128xf32>) outs(%1080 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc163), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<384x128xf32> loc(#loc43)
    %1082 = tensor.empty() : tensor<384x128xf32> loc(#loc163)
    %1083 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%787 : tensor<f32>) outs(%1082 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<384x128xf32> loc(#loc163)
    %1084 = tensor.empty() : tensor<384x128xf32> loc(#loc163)
    %1085 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%929, %1083 : tensor<384x128xf32>, tensor<384x128xf32>) outs(%1084 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<384x128xf32> loc(#loc163)
    %1086 = tensor.empty() : tensor<384x128xf32> loc(#loc164)
    %1087 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1085 : tensor<384x128xf32>) outs(%1086 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc163), %out: f32 loc(#loc164)):
      %1360 = math.sqrt %in : f32 loc(#loc164)
      linalg.yield %1360 : f32 loc(#loc164)
    } -> tensor<384x128xf32> loc(#loc164)
    %1088 = tensor.empty() : tensor<384x128xf32> loc(#loc44)
    %1089 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%1088 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc44)):
      linalg.yield %in : f32 loc(#loc44)
    } -> tensor<384x128xf32> loc(#loc44)
    %1090 = tensor.empty() : tensor<384x128xf32> loc(#loc44)
    %1091 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1087, %1089 : tensor<384x128xf32>, tensor<384x128xf32>) outs(%1090 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc164), %in_41: f32 loc(#loc44), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<384x128xf32> loc(#loc44)
    %1092 = tensor.empty() : tensor<384x128xf32> loc(#loc163)
    %1093 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1081, %1091 : tensor<384x128xf32>, tensor<384x128xf32>) outs(%1092 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc44), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<384x128xf32> loc(#loc163)
    %1094 = tensor.empty() : tensor<384x128xf32> loc(#loc162)
    %1095 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %1093 : tensor<384x128xf32>, tensor<384x128xf32>) outs(%1094 : tensor<384x128xf32>) {
    ^bb0(%in: f32 loc(#loc0), %in_41: f32 loc(#loc163), %out: f32 loc(#loc162)):
      %1360 = arith.subf %in, %in_41 : f32 loc(#loc162)
      linalg.yield %1360 : f32 loc(#loc162)
    } -> tensor<384x128xf32> loc(#loc162)
    %1096 = tensor.empty() : tensor<96x128xf32> loc(#loc163)
    %1097 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%781 : tensor<f32>) outs(%1096 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<96x128xf32> loc(#loc163)
    %1098 = tensor.empty() : tensor<96x128xf32> loc(#loc163)
    %1099 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%807, %1097 : tensor<96x128xf32>, tensor<96x128xf32>) outs(%1098 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<96x128xf32> loc(#loc163)
    %1100 = tensor.empty() : tensor<96x128xf32> loc(#loc43)
    %1101 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%1100 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<96x128xf32> loc(#loc43)
    %1102 = tensor.empty() : tensor<96x128xf32> loc(#loc43)
    %1103 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1101, %1099 : tensor<96x128xf32>, tensor<96x128xf32>) outs(%1102 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc163), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<96x128xf32> loc(#loc43)
    %1104 = tensor.empty() : tensor<96x128xf32> loc(#loc163)
    %1105 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%787 : tensor<f32>) outs(%1104 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<96x128xf32> loc(#loc163)
    %1106 = tensor.empty() : tensor<96x128xf32> loc(#loc163)
    %1107 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%941, %1105 : tensor<96x128xf32>, tensor<96x128xf32>) outs(%1106 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<96x128xf32> loc(#loc163)
    %1108 = tensor.empty() : tensor<96x128xf32> loc(#loc164)
    %1109 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1107 : tensor<96x128xf32>) outs(%1108 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc163), %out: f32 loc(#loc164)):
      %1360 = math.sqrt %in : f32 loc(#loc164)
      linalg.yield %1360 : f32 loc(#loc164)
    } -> tensor<96x128xf32> loc(#loc164)
    %1110 = tensor.empty() : tensor<96x128xf32> loc(#loc44)
    %1111 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%1110 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc44)):
      linalg.yield %in : f32 loc(#loc44)
    } -> tensor<96x128xf32> loc(#loc44)
    %1112 = tensor.empty() : tensor<96x128xf32> loc(#loc44)
    %1113 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1109, %1111 : tensor<96x128xf32>, tensor<96x128xf32>) outs(%1112 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc164), %in_41: f32 loc(#loc44), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<96x128xf32> loc(#loc44)
    %1114 = tensor.empty() : tensor<96x128xf32> loc(#loc163)
    %1115 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1103, %1113 : tensor<96x128xf32>, tensor<96x128xf32>) outs(%1114 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc44), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<96x128xf32> loc(#loc163)
    %1116 = tensor.empty() : tensor<96x128xf32> loc(#loc162)
    %1117 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %1115 : tensor<96x128xf32>, tensor<96x128xf32>) outs(%1116 : tensor<96x128xf32>) {
    ^bb0(%in: f32 loc(#loc1), %in_41: f32 loc(#loc163), %out: f32 loc(#loc162)):
      %1360 = arith.subf %in, %in_41 : f32 loc(#loc162)
      linalg.yield %1360 : f32 loc(#loc162)
    } -> tensor<96x128xf32> loc(#loc162)
    %1118 = tensor.empty() : tensor<128xf32> loc(#loc163)
    %1119 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%781 : tensor<f32>) outs(%1118 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128xf32> loc(#loc163)
    %1120 = tensor.empty() : tensor<128xf32> loc(#loc163)
    %1121 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%817, %1119 : tensor<128xf32>, tensor<128xf32>) outs(%1120 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128xf32> loc(#loc163)
    %1122 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %1123 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%cst_10 : tensor<f32>) outs(%1122 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %1124 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %1125 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%1123, %1121 : tensor<128xf32>, tensor<128xf32>) outs(%1124 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc163), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %1126 = tensor.empty() : tensor<128xf32> loc(#loc163)
    %1127 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%787 : tensor<f32>) outs(%1126 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128xf32> loc(#loc163)
    %1128 = tensor.empty() : tensor<128xf32> loc(#loc163)
    %1129 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%953, %1127 : tensor<128xf32>, tensor<128xf32>) outs(%1128 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128xf32> loc(#loc163)
    %1130 = tensor.empty() : tensor<128xf32> loc(#loc164)
    %1131 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%1129 : tensor<128xf32>) outs(%1130 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc163), %out: f32 loc(#loc164)):
      %1360 = math.sqrt %in : f32 loc(#loc164)
      linalg.yield %1360 : f32 loc(#loc164)
    } -> tensor<128xf32> loc(#loc164)
    %1132 = tensor.empty() : tensor<128xf32> loc(#loc44)
    %1133 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%cst_9 : tensor<f32>) outs(%1132 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc44)):
      linalg.yield %in : f32 loc(#loc44)
    } -> tensor<128xf32> loc(#loc44)
    %1134 = tensor.empty() : tensor<128xf32> loc(#loc44)
    %1135 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%1131, %1133 : tensor<128xf32>, tensor<128xf32>) outs(%1134 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc164), %in_41: f32 loc(#loc44), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128xf32> loc(#loc44)
    %1136 = tensor.empty() : tensor<128xf32> loc(#loc163)
    %1137 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%1125, %1135 : tensor<128xf32>, tensor<128xf32>) outs(%1136 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc44), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128xf32> loc(#loc163)
    %1138 = tensor.empty() : tensor<128xf32> loc(#loc162)
    %1139 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg2, %1137 : tensor<128xf32>, tensor<128xf32>) outs(%1138 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc2), %in_41: f32 loc(#loc163), %out: f32 loc(#loc162)):
      %1360 = arith.subf %in, %in_41 : f32 loc(#loc162)
      linalg.yield %1360 : f32 loc(#loc162)
    } -> tensor<128xf32> loc(#loc162)
    %1140 = tensor.empty() : tensor<128xf32> loc(#loc163)
    %1141 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%781 : tensor<f32>) outs(%1140 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128xf32> loc(#loc163)
    %1142 = tensor.empty() : tensor<128xf32> loc(#loc163)
    %1143 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%827, %1141 : tensor<128xf32>, tensor<128xf32>) outs(%1142 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128xf32> loc(#loc163)
    %1144 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %1145 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%cst_10 : tensor<f32>) outs(%1144 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %1146 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %1147 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%1145, %1143 : tensor<128xf32>, tensor<128xf32>) outs(%1146 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc163), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %1148 = tensor.empty() : tensor<128xf32> loc(#loc163)
    %1149 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%787 : tensor<f32>) outs(%1148 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128xf32> loc(#loc163)
    %1150 = tensor.empty() : tensor<128xf32> loc(#loc163)
    %1151 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%965, %1149 : tensor<128xf32>, tensor<128xf32>) outs(%1150 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128xf32> loc(#loc163)
    %1152 = tensor.empty() : tensor<128xf32> loc(#loc164)
    %1153 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%1151 : tensor<128xf32>) outs(%1152 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc163), %out: f32 loc(#loc164)):
      %1360 = math.sqrt %in : f32 loc(#loc164)
      linalg.yield %1360 : f32 loc(#loc164)
    } -> tensor<128xf32> loc(#loc164)
    %1154 = tensor.empty() : tensor<128xf32> loc(#loc44)
    %1155 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%cst_9 : tensor<f32>) outs(%1154 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc44)):
      linalg.yield %in : f32 loc(#loc44)
    } -> tensor<128xf32> loc(#loc44)
    %1156 = tensor.empty() : tensor<128xf32> loc(#loc44)
    %1157 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%1153, %1155 : tensor<128xf32>, tensor<128xf32>) outs(%1156 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc164), %in_41: f32 loc(#loc44), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128xf32> loc(#loc44)
    %1158 = tensor.empty() : tensor<128xf32> loc(#loc163)
    %1159 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%1147, %1157 : tensor<128xf32>, tensor<128xf32>) outs(%1158 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc44), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128xf32> loc(#loc163)
    %1160 = tensor.empty() : tensor<128xf32> loc(#loc162)
    %1161 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg3, %1159 : tensor<128xf32>, tensor<128xf32>) outs(%1160 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc3), %in_41: f32 loc(#loc163), %out: f32 loc(#loc162)):
      %1360 = arith.subf %in, %in_41 : f32 loc(#loc162)
      linalg.yield %1360 : f32 loc(#loc162)
    } -> tensor<128xf32> loc(#loc162)
    %1162 = tensor.empty() : tensor<128xf32> loc(#loc163)
    %1163 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%781 : tensor<f32>) outs(%1162 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128xf32> loc(#loc163)
    %1164 = tensor.empty() : tensor<128xf32> loc(#loc163)
    %1165 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%837, %1163 : tensor<128xf32>, tensor<128xf32>) outs(%1164 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128xf32> loc(#loc163)
    %1166 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %1167 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%cst_10 : tensor<f32>) outs(%1166 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %1168 = tensor.empty() : tensor<128xf32> loc(#loc43)
    %1169 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%1167, %1165 : tensor<128xf32>, tensor<128xf32>) outs(%1168 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc163), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128xf32> loc(#loc43)
    %1170 = tensor.empty() : tensor<128xf32> loc(#loc163)
    %1171 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%787 : tensor<f32>) outs(%1170 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128xf32> loc(#loc163)
    %1172 = tensor.empty() : tensor<128xf32> loc(#loc163)
    %1173 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%977, %1171 : tensor<128xf32>, tensor<128xf32>) outs(%1172 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128xf32> loc(#loc163)
    %1174 = tensor.empty() : tensor<128xf32> loc(#loc164)
    %1175 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%1173 : tensor<128xf32>) outs(%1174 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc163), %out: f32 loc(#loc164)):
      %1360 = math.sqrt %in : f32 loc(#loc164)
      linalg.yield %1360 : f32 loc(#loc164)
    } -> tensor<128xf32> loc(#loc164)
    %1176 = tensor.empty() : tensor<128xf32> loc(#loc44)
    %1177 = linalg.generic {indexing_maps = [#map38, #map1], iterator_types = ["parallel"]} ins(%cst_9 : tensor<f32>) outs(%1176 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc44)):
      linalg.yield %in : f32 loc(#loc44)
    } -> tensor<128xf32> loc(#loc44)
    %1178 = tensor.empty() : tensor<128xf32> loc(#loc44)
    %1179 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%1175, %1177 : tensor<128xf32>, tensor<128xf32>) outs(%1178 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc164), %in_41: f32 loc(#loc44), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128xf32> loc(#loc44)
    %1180 = tensor.empty() : tensor<128xf32> loc(#loc163)
    %1181 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%1169, %1179 : tensor<128xf32>, tensor<128xf32>) outs(%1180 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc44), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128xf32> loc(#loc163)
    %1182 = tensor.empty() : tensor<128xf32> loc(#loc162)
    %1183 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg4, %1181 : tensor<128xf32>, tensor<128xf32>) outs(%1182 : tensor<128xf32>) {
    ^bb0(%in: f32 loc(#loc4), %in_41: f32 loc(#loc163), %out: f32 loc(#loc162)):
      %1360 = arith.subf %in, %in_41 : f32 loc(#loc162)
      linalg.yield %1360 : f32 loc(#loc162)
    } -> tensor<128xf32> loc(#loc162)
    %1184 = tensor.empty() : tensor<128x384xf32> loc(#loc163)
    %1185 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%781 : tensor<f32>) outs(%1184 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128x384xf32> loc(#loc163)
    %1186 = tensor.empty() : tensor<128x384xf32> loc(#loc163)
    %1187 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%847, %1185 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%1186 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x384xf32> loc(#loc163)
    %1188 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %1189 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%1188 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %1190 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %1191 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1189, %1187 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%1190 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc163), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %1192 = tensor.empty() : tensor<128x384xf32> loc(#loc163)
    %1193 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%787 : tensor<f32>) outs(%1192 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128x384xf32> loc(#loc163)
    %1194 = tensor.empty() : tensor<128x384xf32> loc(#loc163)
    %1195 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%989, %1193 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%1194 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x384xf32> loc(#loc163)
    %1196 = tensor.empty() : tensor<128x384xf32> loc(#loc164)
    %1197 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1195 : tensor<128x384xf32>) outs(%1196 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc163), %out: f32 loc(#loc164)):
      %1360 = math.sqrt %in : f32 loc(#loc164)
      linalg.yield %1360 : f32 loc(#loc164)
    } -> tensor<128x384xf32> loc(#loc164)
    %1198 = tensor.empty() : tensor<128x384xf32> loc(#loc44)
    %1199 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%1198 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc44)):
      linalg.yield %in : f32 loc(#loc44)
    } -> tensor<128x384xf32> loc(#loc44)
    %1200 = tensor.empty() : tensor<128x384xf32> loc(#loc44)
    %1201 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1197, %1199 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%1200 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc164), %in_41: f32 loc(#loc44), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x384xf32> loc(#loc44)
    %1202 = tensor.empty() : tensor<128x384xf32> loc(#loc163)
    %1203 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1191, %1201 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%1202 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc44), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x384xf32> loc(#loc163)
    %1204 = tensor.empty() : tensor<128x384xf32> loc(#loc162)
    %1205 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg5, %1203 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%1204 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc5), %in_41: f32 loc(#loc163), %out: f32 loc(#loc162)):
      %1360 = arith.subf %in, %in_41 : f32 loc(#loc162)
      linalg.yield %1360 : f32 loc(#loc162)
    } -> tensor<128x384xf32> loc(#loc162)
    %1206 = tensor.empty() : tensor<128x96xf32> loc(#loc163)
    %1207 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%781 : tensor<f32>) outs(%1206 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128x96xf32> loc(#loc163)
    %1208 = tensor.empty() : tensor<128x96xf32> loc(#loc163)
    %1209 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%857, %1207 : tensor<128x96xf32>, tensor<128x96xf32>) outs(%1208 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x96xf32> loc(#loc163)
    %1210 = tensor.empty() : tensor<128x96xf32> loc(#loc43)
    %1211 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%1210 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x96xf32> loc(#loc43)
    %1212 = tensor.empty() : tensor<128x96xf32> loc(#loc43)
    %1213 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1211, %1209 : tensor<128x96xf32>, tensor<128x96xf32>) outs(%1212 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc163), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x96xf32> loc(#loc43)
    %1214 = tensor.empty() : tensor<128x96xf32> loc(#loc163)
    %1215 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%787 : tensor<f32>) outs(%1214 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128x96xf32> loc(#loc163)
    %1216 = tensor.empty() : tensor<128x96xf32> loc(#loc163)
    %1217 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1001, %1215 : tensor<128x96xf32>, tensor<128x96xf32>) outs(%1216 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x96xf32> loc(#loc163)
    %1218 = tensor.empty() : tensor<128x96xf32> loc(#loc164)
    %1219 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1217 : tensor<128x96xf32>) outs(%1218 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc163), %out: f32 loc(#loc164)):
      %1360 = math.sqrt %in : f32 loc(#loc164)
      linalg.yield %1360 : f32 loc(#loc164)
    } -> tensor<128x96xf32> loc(#loc164)
    %1220 = tensor.empty() : tensor<128x96xf32> loc(#loc44)
    %1221 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%1220 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc44)):
      linalg.yield %in : f32 loc(#loc44)
    } -> tensor<128x96xf32> loc(#loc44)
    %1222 = tensor.empty() : tensor<128x96xf32> loc(#loc44)
    %1223 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1219, %1221 : tensor<128x96xf32>, tensor<128x96xf32>) outs(%1222 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc164), %in_41: f32 loc(#loc44), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x96xf32> loc(#loc44)
    %1224 = tensor.empty() : tensor<128x96xf32> loc(#loc163)
    %1225 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1213, %1223 : tensor<128x96xf32>, tensor<128x96xf32>) outs(%1224 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc44), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x96xf32> loc(#loc163)
    %1226 = tensor.empty() : tensor<128x96xf32> loc(#loc162)
    %1227 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg6, %1225 : tensor<128x96xf32>, tensor<128x96xf32>) outs(%1226 : tensor<128x96xf32>) {
    ^bb0(%in: f32 loc(#loc6), %in_41: f32 loc(#loc163), %out: f32 loc(#loc162)):
      %1360 = arith.subf %in, %in_41 : f32 loc(#loc162)
      linalg.yield %1360 : f32 loc(#loc162)
    } -> tensor<128x96xf32> loc(#loc162)
    %1228 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1229 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%781 : tensor<f32>) outs(%1228 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1230 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1231 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%867, %1229 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1230 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1232 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1233 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%1232 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1234 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1235 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1233, %1231 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1234 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc163), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1236 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1237 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%787 : tensor<f32>) outs(%1236 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1238 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1239 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1013, %1237 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1238 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1240 = tensor.empty() : tensor<128x128xf32> loc(#loc164)
    %1241 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1239 : tensor<128x128xf32>) outs(%1240 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc163), %out: f32 loc(#loc164)):
      %1360 = math.sqrt %in : f32 loc(#loc164)
      linalg.yield %1360 : f32 loc(#loc164)
    } -> tensor<128x128xf32> loc(#loc164)
    %1242 = tensor.empty() : tensor<128x128xf32> loc(#loc44)
    %1243 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%1242 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc44)):
      linalg.yield %in : f32 loc(#loc44)
    } -> tensor<128x128xf32> loc(#loc44)
    %1244 = tensor.empty() : tensor<128x128xf32> loc(#loc44)
    %1245 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1241, %1243 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1244 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc164), %in_41: f32 loc(#loc44), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x128xf32> loc(#loc44)
    %1246 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1247 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1235, %1245 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1246 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc44), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1248 = tensor.empty() : tensor<128x128xf32> loc(#loc162)
    %1249 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg7, %1247 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1248 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc7), %in_41: f32 loc(#loc163), %out: f32 loc(#loc162)):
      %1360 = arith.subf %in, %in_41 : f32 loc(#loc162)
      linalg.yield %1360 : f32 loc(#loc162)
    } -> tensor<128x128xf32> loc(#loc162)
    %1250 = tensor.empty() : tensor<64x128xf32> loc(#loc163)
    %1251 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%781 : tensor<f32>) outs(%1250 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<64x128xf32> loc(#loc163)
    %1252 = tensor.empty() : tensor<64x128xf32> loc(#loc163)
    %1253 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%877, %1251 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%1252 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<64x128xf32> loc(#loc163)
    %1254 = tensor.empty() : tensor<64x128xf32> loc(#loc43)
    %1255 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%1254 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<64x128xf32> loc(#loc43)
    %1256 = tensor.empty() : tensor<64x128xf32> loc(#loc43)
    %1257 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1255, %1253 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%1256 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc163), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<64x128xf32> loc(#loc43)
    %1258 = tensor.empty() : tensor<64x128xf32> loc(#loc163)
    %1259 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%787 : tensor<f32>) outs(%1258 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<64x128xf32> loc(#loc163)
    %1260 = tensor.empty() : tensor<64x128xf32> loc(#loc163)
    %1261 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1025, %1259 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%1260 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<64x128xf32> loc(#loc163)
    %1262 = tensor.empty() : tensor<64x128xf32> loc(#loc164)
    %1263 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1261 : tensor<64x128xf32>) outs(%1262 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc163), %out: f32 loc(#loc164)):
      %1360 = math.sqrt %in : f32 loc(#loc164)
      linalg.yield %1360 : f32 loc(#loc164)
    } -> tensor<64x128xf32> loc(#loc164)
    %1264 = tensor.empty() : tensor<64x128xf32> loc(#loc44)
    %1265 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%1264 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc44)):
      linalg.yield %in : f32 loc(#loc44)
    } -> tensor<64x128xf32> loc(#loc44)
    %1266 = tensor.empty() : tensor<64x128xf32> loc(#loc44)
    %1267 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1263, %1265 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%1266 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc164), %in_41: f32 loc(#loc44), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<64x128xf32> loc(#loc44)
    %1268 = tensor.empty() : tensor<64x128xf32> loc(#loc163)
    %1269 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1257, %1267 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%1268 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc44), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<64x128xf32> loc(#loc163)
    %1270 = tensor.empty() : tensor<64x128xf32> loc(#loc162)
    %1271 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg8, %1269 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%1270 : tensor<64x128xf32>) {
    ^bb0(%in: f32 loc(#loc8), %in_41: f32 loc(#loc163), %out: f32 loc(#loc162)):
      %1360 = arith.subf %in, %in_41 : f32 loc(#loc162)
      linalg.yield %1360 : f32 loc(#loc162)
    } -> tensor<64x128xf32> loc(#loc162)
    %1272 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1273 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%781 : tensor<f32>) outs(%1272 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1274 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1275 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%887, %1273 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1274 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1276 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1277 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%1276 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1278 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1279 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1277, %1275 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1278 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc163), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1280 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1281 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%787 : tensor<f32>) outs(%1280 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1282 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1283 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1037, %1281 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1282 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1284 = tensor.empty() : tensor<128x128xf32> loc(#loc164)
    %1285 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1283 : tensor<128x128xf32>) outs(%1284 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc163), %out: f32 loc(#loc164)):
      %1360 = math.sqrt %in : f32 loc(#loc164)
      linalg.yield %1360 : f32 loc(#loc164)
    } -> tensor<128x128xf32> loc(#loc164)
    %1286 = tensor.empty() : tensor<128x128xf32> loc(#loc44)
    %1287 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%1286 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc44)):
      linalg.yield %in : f32 loc(#loc44)
    } -> tensor<128x128xf32> loc(#loc44)
    %1288 = tensor.empty() : tensor<128x128xf32> loc(#loc44)
    %1289 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1285, %1287 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1288 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc164), %in_41: f32 loc(#loc44), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x128xf32> loc(#loc44)
    %1290 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1291 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1279, %1289 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1290 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc44), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1292 = tensor.empty() : tensor<128x128xf32> loc(#loc162)
    %1293 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg9, %1291 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1292 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc9), %in_41: f32 loc(#loc163), %out: f32 loc(#loc162)):
      %1360 = arith.subf %in, %in_41 : f32 loc(#loc162)
      linalg.yield %1360 : f32 loc(#loc162)
    } -> tensor<128x128xf32> loc(#loc162)
    %1294 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1295 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%781 : tensor<f32>) outs(%1294 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1296 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1297 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%897, %1295 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1296 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1298 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1299 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%1298 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1300 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1301 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1299, %1297 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1300 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc163), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1302 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1303 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%787 : tensor<f32>) outs(%1302 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1304 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1305 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1049, %1303 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1304 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1306 = tensor.empty() : tensor<128x128xf32> loc(#loc164)
    %1307 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1305 : tensor<128x128xf32>) outs(%1306 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc163), %out: f32 loc(#loc164)):
      %1360 = math.sqrt %in : f32 loc(#loc164)
      linalg.yield %1360 : f32 loc(#loc164)
    } -> tensor<128x128xf32> loc(#loc164)
    %1308 = tensor.empty() : tensor<128x128xf32> loc(#loc44)
    %1309 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%1308 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc44)):
      linalg.yield %in : f32 loc(#loc44)
    } -> tensor<128x128xf32> loc(#loc44)
    %1310 = tensor.empty() : tensor<128x128xf32> loc(#loc44)
    %1311 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1307, %1309 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1310 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc164), %in_41: f32 loc(#loc44), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x128xf32> loc(#loc44)
    %1312 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1313 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1301, %1311 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1312 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc44), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1314 = tensor.empty() : tensor<128x128xf32> loc(#loc162)
    %1315 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg10, %1313 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1314 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc10), %in_41: f32 loc(#loc163), %out: f32 loc(#loc162)):
      %1360 = arith.subf %in, %in_41 : f32 loc(#loc162)
      linalg.yield %1360 : f32 loc(#loc162)
    } -> tensor<128x128xf32> loc(#loc162)
    %1316 = tensor.empty() : tensor<128x384xf32> loc(#loc163)
    %1317 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%781 : tensor<f32>) outs(%1316 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128x384xf32> loc(#loc163)
    %1318 = tensor.empty() : tensor<128x384xf32> loc(#loc163)
    %1319 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%907, %1317 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%1318 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x384xf32> loc(#loc163)
    %1320 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %1321 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%1320 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %1322 = tensor.empty() : tensor<128x384xf32> loc(#loc43)
    %1323 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1321, %1319 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%1322 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc163), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x384xf32> loc(#loc43)
    %1324 = tensor.empty() : tensor<128x384xf32> loc(#loc163)
    %1325 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%787 : tensor<f32>) outs(%1324 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128x384xf32> loc(#loc163)
    %1326 = tensor.empty() : tensor<128x384xf32> loc(#loc163)
    %1327 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1061, %1325 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%1326 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x384xf32> loc(#loc163)
    %1328 = tensor.empty() : tensor<128x384xf32> loc(#loc164)
    %1329 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1327 : tensor<128x384xf32>) outs(%1328 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc163), %out: f32 loc(#loc164)):
      %1360 = math.sqrt %in : f32 loc(#loc164)
      linalg.yield %1360 : f32 loc(#loc164)
    } -> tensor<128x384xf32> loc(#loc164)
    %1330 = tensor.empty() : tensor<128x384xf32> loc(#loc44)
    %1331 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%1330 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc44)):
      linalg.yield %in : f32 loc(#loc44)
    } -> tensor<128x384xf32> loc(#loc44)
    %1332 = tensor.empty() : tensor<128x384xf32> loc(#loc44)
    %1333 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1329, %1331 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%1332 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc164), %in_41: f32 loc(#loc44), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x384xf32> loc(#loc44)
    %1334 = tensor.empty() : tensor<128x384xf32> loc(#loc163)
    %1335 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1323, %1333 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%1334 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc44), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x384xf32> loc(#loc163)
    %1336 = tensor.empty() : tensor<128x384xf32> loc(#loc162)
    %1337 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg11, %1335 : tensor<128x384xf32>, tensor<128x384xf32>) outs(%1336 : tensor<128x384xf32>) {
    ^bb0(%in: f32 loc(#loc11), %in_41: f32 loc(#loc163), %out: f32 loc(#loc162)):
      %1360 = arith.subf %in, %in_41 : f32 loc(#loc162)
      linalg.yield %1360 : f32 loc(#loc162)
    } -> tensor<128x384xf32> loc(#loc162)
    %1338 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1339 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%781 : tensor<f32>) outs(%1338 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1340 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1341 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%917, %1339 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1340 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1342 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1343 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%1342 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc43)):
      linalg.yield %in : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1344 = tensor.empty() : tensor<128x128xf32> loc(#loc43)
    %1345 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1343, %1341 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1344 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc163), %out: f32 loc(#loc43)):
      %1360 = arith.mulf %in, %in_41 : f32 loc(#loc43)
      linalg.yield %1360 : f32 loc(#loc43)
    } -> tensor<128x128xf32> loc(#loc43)
    %1346 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1347 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%787 : tensor<f32>) outs(%1346 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc162), %out: f32 loc(#loc163)):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1348 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1349 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1073, %1347 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1348 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc44), %in_41: f32 loc(#loc163), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1350 = tensor.empty() : tensor<128x128xf32> loc(#loc164)
    %1351 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1349 : tensor<128x128xf32>) outs(%1350 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc163), %out: f32 loc(#loc164)):
      %1360 = math.sqrt %in : f32 loc(#loc164)
      linalg.yield %1360 : f32 loc(#loc164)
    } -> tensor<128x128xf32> loc(#loc164)
    %1352 = tensor.empty() : tensor<128x128xf32> loc(#loc44)
    %1353 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%1352 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc42), %out: f32 loc(#loc44)):
      linalg.yield %in : f32 loc(#loc44)
    } -> tensor<128x128xf32> loc(#loc44)
    %1354 = tensor.empty() : tensor<128x128xf32> loc(#loc44)
    %1355 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1351, %1353 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1354 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc164), %in_41: f32 loc(#loc44), %out: f32 loc(#loc44)):
      %1360 = arith.addf %in, %in_41 : f32 loc(#loc44)
      linalg.yield %1360 : f32 loc(#loc44)
    } -> tensor<128x128xf32> loc(#loc44)
    %1356 = tensor.empty() : tensor<128x128xf32> loc(#loc163)
    %1357 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1345, %1355 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1356 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc43), %in_41: f32 loc(#loc44), %out: f32 loc(#loc163)):
      %1360 = arith.divf %in, %in_41 : f32 loc(#loc163)
      linalg.yield %1360 : f32 loc(#loc163)
    } -> tensor<128x128xf32> loc(#loc163)
    %1358 = tensor.empty() : tensor<128x128xf32> loc(#loc162)
    %1359 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg12, %1357 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1358 : tensor<128x128xf32>) {
    ^bb0(%in: f32 loc(#loc12), %in_41: f32 loc(#loc163), %out: f32 loc(#loc162)):
      %1360 = arith.subf %in, %in_41 : f32 loc(#loc162)
      linalg.yield %1360 : f32 loc(#loc162)
    } -> tensor<128x128xf32> loc(#loc162)
    return %336, %1095, %1117, %1139, %1161, %1183, %1205, %1227, %1249, %1271, %1293, %1315, %1337, %1359, %797, %807, %817, %827, %837, %847, %857, %867, %877, %887, %897, %907, %917, %929, %941, %953, %965, %977, %989, %1001, %1013, %1025, %1037, %1049, %1061, %1073, %773 : tensor<f32>, tensor<384x128xf32>, tensor<96x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128x384xf32>, tensor<128x96xf32>, tensor<128x128xf32>, tensor<64x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x384xf32>, tensor<128x128xf32>, tensor<384x128xf32>, tensor<96x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128x384xf32>, tensor<128x96xf32>, tensor<128x128xf32>, tensor<64x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x384xf32>, tensor<128x128xf32>, tensor<384x128xf32>, tensor<96x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128x384xf32>, tensor<128x96xf32>, tensor<128x128xf32>, tensor<64x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x384xf32>, tensor<128x128xf32>, tensor<i32> loc(#loc47)
  } loc(#loc42)
} loc(#loc42)
